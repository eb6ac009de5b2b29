import { type SQL, sql } from 'drizzle-orm';

/** `ramp`: until the boat departs, also the vessel's share for the booth; only staff sell there. */
export type SalePoint = 'online' | 'ramp';

/**
 * How many places of a capacity row (`c`) may be sold online on its vessel (`v`). The places taken may exceed the share
 * of a smaller vessel, and `sellable_online` is never less than that; so returned places must not be sold again.
 * Negative if more is held back than a smaller vessel has.
 */
export const COUNT_SELLABLE = sql`least(c.sellable_online, c.total * v.online_percent / 100 - c.held_back)`;

/** The same at the ramp, where the vessel's share for the booth is sold too. Negative as `COUNT_SELLABLE`. */
export const COUNT_SELLABLE_AT_RAMP = sql`c.total - c.held_back`;

/** Whether a sailing (`s`) has not departed, as far as is known: a late one departs later. */
export function isAhead(now: Date): SQL {
  return sql`${isNotDeparted} and s.departs_at + make_interval(mins => s.delay_minutes) > ${at(now)}`;
}

/** What `takeAllOrNone` takes at a sale point. */
export function conditionsAt(salePoint: SalePoint, now: Date): { isAllowed: SQL; sellable: SQL } {
  return salePoint === 'online'
    ? { isAllowed: isOnSale(now), sellable: COUNT_SELLABLE }
    : { isAllowed: isNotDeparted, sellable: COUNT_SELLABLE_AT_RAMP };
}

/** A late boat is sold at the ramp until its departure is reported. */
const isNotDeparted = sql`s.status = 'scheduled' and not s.withdrawn and s.departed_at is null`;

/** Whether a sailing (`s`) is on sale online. */
export function isOnSale(now: Date): SQL {
  return sql`s.status = 'scheduled' and not s.withdrawn and s.sales_close_at > ${at(now)}
    and s.check_in_closed_at is null`;
}

/** An instant as a parameter. */
export function at(instant: Date): SQL {
  return sql`${instant.toISOString()}::timestamptz`;
}
