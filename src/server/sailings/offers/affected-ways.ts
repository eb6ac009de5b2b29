import { sql } from 'drizzle-orm';
import type { LegName } from '#contract/checkout/legs.ts';
import type { Vehicle } from '#contract/checkout/schemas.ts';
import { compareLegs, getWay, WAYS, type Way } from '#domain/orders/legs.ts';
import { isConnectionMissed } from '#domain/sailings/connections.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import type { SailingOfferRow } from '#server/database/schema/sailing-offers.ts';
import type { sailings } from '#server/database/schema/timetable.ts';
import type { CatalogueFacts } from '../queries.ts';

/** What an order takes on each boat of a way. */
export type TravelingParty = { passengers: number; bicycles: number; vehicle: Vehicle | null };

/** A sailing of an order's way. */
export type BookedBoat = Pick<
  typeof sailings.$inferSelect,
  'status' | 'delayMinutes' | 'oversubscribed' | 'departsAt' | 'arrivesAt'
> & { sailingId: string; originPortId: string; destinationPortId: string };

/** One way of a paid order, with its boats as travelled. */
export type BookedWay = {
  orderId: string;
  way: Way;
  hasNoRoom: boolean;
  boats: readonly BookedBoat[];
  party: TravelingParty;
};

type Row = Omit<BookedBoat, 'departsAt' | 'arrivesAt'> & {
  orderId: string;
  leg: LegName;
  vehicle: Vehicle | null;
  hasNoRoom: boolean;
  kind: string;
  quantity: number;
  departsAt: string;
  arrivesAt: string;
};

/**
 * Locks the orders that have a choice or may need one: marked for a canceled sailing or missing room, with an open offer, or named.
 * @returns their ids, in order of purchase
 */
export async function lockAffectedOrders(tx: Database, orderIds: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ id: string; confirmedAt: string }>(
    tx,
    sql`
    select id, coalesce(confirmed_at, inserted_at) as "confirmedAt" from orders
    where id in (
      select id from orders where needs_attention in ('sailing_cancelled', 'no_room')
      union select order_id from sailing_offers where status = 'open'
      union select jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb))
    order by id for no key update`,
  );
  return rows
    .toSorted((a, b) => Date.parse(a.confirmedAt) - Date.parse(b.confirmedAt) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

/** The ways of paid orders that have not been canceled, in the order of the ids, outbound first. */
export async function readBookedWays(tx: Database, orderIds: readonly string[]): Promise<BookedWay[]> {
  const rows = await queryRows<Row>(
    tx,
    sql`
    select o.id as "orderId", coalesce(l.vehicle, o.vehicle) as vehicle, o.needs_attention = 'no_room' as "hasNoRoom", l.leg, l.kind, l.quantity,
      s.id as "sailingId", s.status, s.delay_minutes as "delayMinutes", s.oversubscribed,
      s.departs_at as "departsAt", s.arrives_at as "arrivesAt",
      r.origin_port_id as "originPortId", r.destination_port_id as "destinationPortId"
    from orders o
    join order_lines l on l.order_id = o.id and l.status = 'active' and l.kind in ('passenger', 'vehicle', 'bicycle')
    join sailings s on s.id = l.sailing_id
    join routes r on r.id = s.route_id
    where o.id in (select jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb))
      and o.status in ('confirmed', 'partly_cancelled')`,
  );
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  return orderIds.flatMap((orderId) => {
    const ofOrder = byOrder.get(orderId) ?? [];
    return WAYS.flatMap((way) => {
      const ofWay = ofOrder.filter(({ leg }) => getWay(leg) === way);
      return ofWay.length > 0 ? [toWay(orderId, way, ofWay)] : [];
    });
  });
}

function toWay(orderId: string, way: Way, rows: readonly Row[]): BookedWay {
  const legs = [...Map.groupBy(rows, ({ leg }) => leg)].toSorted(([a], [b]) => compareLegs(a, b));
  const lines = legs[0]?.[1] ?? [];
  const count = (kind: string) =>
    lines.filter((line) => line.kind === kind).reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    orderId,
    way,
    hasNoRoom: rows.some(({ hasNoRoom }) => hasNoRoom === true),
    boats: legs.flatMap(([, [boat]]) =>
      boat ? [{ ...boat, departsAt: new Date(boat.departsAt), arrivesAt: new Date(boat.arrivesAt) }] : [],
    ),
    party: {
      passengers: count('passenger'),
      bicycles: count('bicycle'),
      vehicle: lines.find(({ kind }) => kind === 'vehicle')?.vehicle ?? null,
    },
  };
}

/** Why the passengers of a way have a choice; null: the way runs as bought. */
export function findOfferReason(
  way: BookedWay,
  catalogue: Pick<CatalogueFacts, 'feed' | 'ports'>,
): SailingOfferRow['reason'] | null {
  const { boats, hasNoRoom } = way;
  const { choiceDelayMinutes } = catalogue.feed;
  if (boats.some(({ status }) => status === 'cancelled')) return 'sailing_cancelled';
  if (hasNoRoom && boats.some(({ oversubscribed }) => oversubscribed)) return 'no_room';
  const isLate = boats.some(({ delayMinutes }) => delayMinutes >= choiceDelayMinutes);
  return isLate || missesConnection(way, catalogue) ? 'sailing_delayed' : null;
}

/** Whether a delay leaves less time to change boats than the port needs. */
export function missesConnection(
  { boats: [first, onward] }: BookedWay,
  { ports }: Pick<CatalogueFacts, 'ports'>,
): boolean {
  if (!first || !onward) return false;
  const changeMinutes = ports.find(({ id }) => id === first.destinationPortId)?.changeMinutes ?? 0;
  return isConnectionMissed(inMilliseconds(first), inMilliseconds(onward), changeMinutes);
}

function inMilliseconds({ departsAt, arrivesAt, delayMinutes }: BookedBoat) {
  return { departsAt: departsAt.getTime(), arrivesAt: arrivesAt.getTime(), delayMinutes };
}
