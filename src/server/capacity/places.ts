import { type SQL, sql } from 'drizzle-orm';
import type { CapacityResource } from '#domain/fares/capacity.ts';
import type { Context } from '../context.ts';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import { type Database, queryRows } from '../database/database.ts';
import type { HoldRow } from '../database/schema/holds.ts';
import { withRetry } from '../database/transactions.ts';
import { at, COUNT_SELLABLE, conditionsAt, isAhead, isOnSale, type SalePoint } from './sale-conditions.ts';

/*
 * A place on a sailing is one on each stretch of the voyage that the sailing covers. Every statement here locks its
 * capacity rows in one order (voyage, stretch, resource) before it reads them, and changes all of them or none, which
 * prevents deadlocks. Two sailings of one order may share stretches, so amounts are added up per row. The order of
 * locks over all tables is in database/transactions.ts.
 */

/** An amount of one resource on one sailing. */
export type Places = { sailingId: string; resource: CapacityResource; amount: number };

/** A hold as it is written. `network`: keyed hash of the buyer's network, whose places are limited. */
export type NewHold = Pick<
  HoldRow,
  'id' | 'request' | 'total' | 'priceFingerprint' | 'expiresAt' | 'expiresAtMax' | 'insertedAt'
> &
  Partial<Pick<HoldRow, 'network' | 'extended'>>;

/** `sellable`: as of `takeAllOrNone`; absent: what the sale point sells. */
type PlacesToTake = { hold: NewHold; places: readonly Places[]; salePoint?: SalePoint; sellable?: SQL };

/**
 * Takes all places and writes the hold, or does nothing, in one statement. Commits asynchronously, because buyers of one
 * sailing wait for each other's commits; a later commit for the order also writes the hold to disk.
 * @returns false if a sailing is off sale or a resource does not suffice
 */
export function takePlaces(db: Database, taken: PlacesToTake): Promise<boolean> {
  return withRetry(() => insertHold(db, taken));
}

/** Like `takePlaces`, as a part of a transaction. */
export async function insertHold(
  db: Database,
  { hold, places, salePoint = 'online', ...sale }: PlacesToTake,
): Promise<boolean> {
  const { request, network = null, extended = false, insertedAt } = hold;
  const [outcome] = await queryRows<{ taken: boolean }>(
    db,
    sql`
      with async_commit as materialized (${ASYNC_COMMIT}),
      requested as materialized (select w.* from async_commit, (${requestedRows(places)}) w),
      ${takeAllOrNone({ column: 'held', ...conditionsAt(salePoint, insertedAt), ...sale })},
      hold as (
        insert into holds (
          id, status, request, total, price_fingerprint, expires_at, expires_at_max, extended, network, inserted_at
        )
        select ${hold.id}, 'active', ${JSON.stringify(request)}::jsonb, ${hold.total}::bigint, ${hold.priceFingerprint},
          ${at(hold.expiresAt)}, ${at(hold.expiresAtMax)}, ${extended}::boolean, ${network}::text,
          ${at(insertedAt)}
        from decision where fits
        returning id
      ),
      items as (
        insert into hold_items (hold_id, sailing_id, resource, amount)
        select hold.id, w.sailing_id, w.resource, w.amount from hold, requested w
      )
      select ${IS_TAKEN} as taken
    `,
  );
  return outcome?.taken === true;
}

/**
 * Takes places for holds that the transaction writes, all or none.
 * @returns false if a sailing is off sale or a resource does not suffice; the capacity stays locked
 */
export async function takePlacesWithin(
  tx: Database,
  { places, now }: { places: readonly Places[]; now: Date },
): Promise<boolean> {
  if (places.length === 0) return true;
  const sums = new Map<string, Places>();
  for (const each of places) {
    const key = `${each.sailingId} ${each.resource}`;
    sums.set(key, { ...each, amount: each.amount + (sums.get(key)?.amount ?? 0) });
  }
  const [outcome] = await queryRows<{ taken: boolean }>(
    tx,
    sql`
      with requested as materialized (${requestedRows([...sums.values()])}),
      ${takeAllOrNone({ column: 'held', isAllowed: isOnSale(now) })}
      select ${IS_TAKEN} as taken
    `,
  );
  return outcome?.taken === true;
}

/**
 * Replaces the places of an active hold, which the transaction has locked.
 * @returns false, with nothing changed, if additional places are not available
 */
export async function swapPlaces(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { holdId, places }: { holdId: string; places: readonly Places[] },
): Promise<boolean> {
  const [outcome] = await queryRows<{ taken: boolean }>(
    tx,
    sql`
      with new_items as (${requestedRows(places)}),
      old as (select sailing_id, resource, amount from hold_items where hold_id = ${holdId}),
      requested as materialized (
        select coalesce(n.sailing_id, o.sailing_id) as sailing_id, coalesce(n.resource, o.resource) as resource,
          coalesce(n.amount, 0) - coalesce(o.amount, 0) as amount
        from new_items n full join old o on o.sailing_id = n.sailing_id and o.resource = n.resource
      ),
      ${takeAllOrNone({
        column: 'held',
        isAllowed: sql`(w.amount <= 0 or (${isOnSale(clock.now())}))`,
      })}
      select ${IS_TAKEN} as taken
    `,
  );
  if (!outcome?.taken) return false;
  await tx.execute(sql`delete from hold_items where hold_id = ${holdId}`);
  await tx.execute(sql`
    insert into hold_items (hold_id, sailing_id, resource, amount)
    select ${holdId}, w.sailing_id, w.resource, w.amount from (${requestedRows(places)}) w
  `);
  return true;
}

/** Releases the places of a hold. The transaction has just ended the hold, so this happens once. */
export async function releasePlaces(tx: Database, holdId: string): Promise<void> {
  await releasePlacesOfHolds(tx, [holdId]);
}

/** Like `releasePlaces`, of several holds. */
export async function releasePlacesOfHolds(tx: Database, holdIds: readonly string[]): Promise<void> {
  const ended = sql`(select jsonb_array_elements_text(${JSON.stringify(holdIds)}::jsonb) as id)`;
  await tx.execute(changeHeldPlaces(ended, sql`held = c.held - g.amount`));
}

/**
 * The statement that turns the held places of a hold into sold ones.
 * @param hold a relation with the id of a hold that the same statement has consumed, or without rows
 */
export function sellHeldPlaces(hold: SQL): SQL {
  return changeHeldPlaces(hold, sql`held = c.held - g.amount, sold = c.sold + g.amount`);
}

/**
 * Sells the places of an order whose hold has ended, if all are still free and no sailing has departed.
 * @returns false, with nothing changed, if not
 */
export async function sellFreePlaces(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  orderId: string,
): Promise<boolean> {
  const [outcome] = await queryRows<{ taken: boolean }>(
    tx,
    sql`
      with requested as materialized (${soldAmounts(orderId)}),
      ${takeAllOrNone({
        column: 'sold',
        isAllowed: isAhead(clock.now()),
      })}
      select ${IS_TAKEN} as taken
    `,
  );
  return outcome?.taken === true;
}

/**
 * Puts the places of an order's active lines back on sale. The transaction cancels those lines.
 * @param lineIds only of these lines
 */
export async function releaseSoldPlaces(
  tx: Database,
  orderId: string,
  lineIds?: readonly string[],
): Promise<void> {
  await tx.execute(changePlaces(sql`(${soldAmounts(orderId, lineIds)})`, sql`sold = c.sold - g.amount`));
}

/** Lines of an order, and the places that replace theirs. */
type Exchange = { orderId: string; lineIds: readonly string[]; places: readonly Places[] };

/**
 * Replaces the sold places of an order's lines. The transaction has just ended a hold that has what the new places take
 * in addition, so they always fit.
 */
export async function exchangeHeldPlaces(
  tx: Database,
  { holdId, ...exchange }: Exchange & { holdId: string },
): Promise<void> {
  await tx.execute(sql`
    with amounts as (
      select sailing_id, resource, sum(held)::int as held, sum(sold)::int as sold
      from (
        select sailing_id, resource, -amount as held, 0 as sold from hold_items where hold_id = ${holdId}
        union all select sailing_id, resource, 0, amount from (${differences(exchange)}) d
      ) a
      group by sailing_id, resource
    ),
    locked as materialized (
      select c.voyage_id, c.stretch, c.resource, a.held, a.sold
      from amounts a
      join sailings s on s.id = a.sailing_id
      join voyage_capacity c on ${ARE_ITS_STRETCHES} and c.resource = a.resource
      order by c.voyage_id, c.stretch, c.resource
      for no key update of c
    )
    update voyage_capacity c set held = c.held + g.held, sold = c.sold + g.sold
    from (
      select voyage_id, stretch, resource, sum(held)::int as held, sum(sold)::int as sold
      from locked group by voyage_id, stretch, resource
    ) g
    where c.voyage_id = g.voyage_id and c.stretch = g.stretch and c.resource = g.resource
  `);
}

/**
 * Whether an order may still be moved to the places that a hold keeps for it: all its new sailings run and have not
 * departed, and none on which it needs additional places has become too small for what was taken.
 */
export async function canUseHeldPlaces(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { holdId, places }: Pick<Exchange, 'places'> & { holdId: string },
): Promise<boolean> {
  const [row] = await queryRows<{ isPossible: boolean }>(
    tx,
    sql`
      select coalesce(bool_and((${isAhead(clock.now())}) and not (s.oversubscribed and h.sailing_id is not null)), true)
        as "isPossible"
      from (select distinct sailing_id from (${requestedRows(places)}) w) requested
      join sailings s on s.id = requested.sailing_id
      left join (select distinct sailing_id from hold_items where hold_id = ${holdId}) h on h.sailing_id = s.id`,
  );
  return row?.isPossible === true;
}

/**
 * Like `exchangeHeldPlaces`, after the hold has ended, if the additional places are free and no sailing has departed.
 * @returns false, with nothing changed, if not
 */
export async function exchangeFreePlaces(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  exchange: Exchange,
): Promise<boolean> {
  const [outcome] = await queryRows<{ taken: boolean }>(
    tx,
    sql`
      with requested as materialized (${differences(exchange)}),
      ${takeAllOrNone({ column: 'sold', isAllowed: sql`(w.amount <= 0 or (${isAhead(clock.now())}))` })}
      select ${IS_TAKEN} as taken
    `,
  );
  return outcome?.taken === true;
}

/** What the new places take more than the lines, by sailing; negative: less. */
function differences({ orderId, lineIds, places }: Exchange): SQL {
  return sql`
    select sailing_id, resource, sum(amount)::int as amount
    from (
      select sailing_id, resource, amount from (${requestedRows(places)}) w
      union all select sailing_id, resource, -amount from (${soldAmounts(orderId, lineIds)}) l
    ) e
    group by sailing_id, resource`;
}

/** What the active lines of an order take. */
function soldAmounts(orderId: string, lineIds?: readonly string[]): SQL {
  const isOfLines = lineIds
    ? sql`and l.id in (select jsonb_array_elements_text(${JSON.stringify(lineIds)}::jsonb))`
    : sql``;
  return sql`
    select p.sailing_id, p.resource, sum(p.amount)::int as amount
    from line_capacity p join order_lines l on l.id = p.line_id
    where l.order_id = ${orderId} and l.status = 'active' ${isOfLines}
    group by p.sailing_id, p.resource`;
}

/** The stretches (`c`) of a sailing (`s`). */
const ARE_ITS_STRETCHES = sql`c.voyage_id = s.voyage_id and c.stretch >= s.first_stop and c.stretch < s.last_stop`;

/** Whether `takeAllOrNone` took the places. */
export const IS_TAKEN = sql`(select fits from decision)`;

/**
 * The part of a statement that takes all rows of its table `requested` (sailing_id, resource, amount) or none. A negative
 * amount gives places back. `sellable_online` grows where the ramp sells more than that.
 * @param isAllowed whether a sailing (`s`) may have its row of `requested` (`w`)
 * @param sellable how much of a capacity row (`c`) may be taken
 */
export function takeAllOrNone({
  column,
  isAllowed,
  sellable = COUNT_SELLABLE,
}: {
  column: 'held' | 'sold' | 'held_back';
  isAllowed: SQL;
  sellable?: SQL;
}): SQL {
  const name = sql.raw(column);
  return sql`
    locked as materialized (
      select c.voyage_id, c.stretch, c.resource, w.sailing_id, w.amount,
        s.last_stop - s.first_stop as stretches, ${sellable} - c.held - c.sold as free
      from requested w
      join sailings s on s.id = w.sailing_id
      join voyage_capacity c on ${ARE_ITS_STRETCHES} and c.resource = w.resource
      join voyages voy on voy.id = c.voyage_id
      join vessels v on v.id = voy.vessel_id
      where ${isAllowed}
      order by c.voyage_id, c.stretch, c.resource
      for no key update of c
    ),
    changes as materialized (
      select voyage_id, stretch, resource, sum(amount)::int as amount, min(free) as free
      from locked group by voyage_id, stretch, resource
    ),
    decision as materialized (
      select not exists (select from changes where amount > 0 and amount > free)
        and (select count(*) from requested) = (
          select count(*) from (
            select from locked group by sailing_id, resource, stretches having count(*) = stretches
          ) complete
        ) as fits
    ),
    taken as (
      update voyage_capacity c set ${name} = c.${name} + g.amount,
        sellable_online = greatest(c.sellable_online, c.held + c.sold + g.amount)
      from changes g join decision on decision.fits
      where c.voyage_id = g.voyage_id and c.stretch = g.stretch and c.resource = g.resource
    )
  `;
}

/** @param holds a relation with the ids of holds */
function changeHeldPlaces(holds: SQL, change: SQL): SQL {
  // The planner assumes few elements of an array. Of the table, before it is analyzed, it assumes hundreds for each hold,
  // and would scan all sailings.
  const places = sql`(
    select i.* from ${holds} h
    cross join lateral unnest(array(select i from hold_items i where i.hold_id = h.id)) i
  )`;
  return changePlaces(places, change);
}

/**
 * The statement that locks places and changes them.
 * @param places a relation (`p`) of sailing_id, resource and amount
 * @param change assignments of a capacity row (`c`), from its total amount (`g`)
 */
export function changePlaces(places: SQL, change: SQL): SQL {
  return sql`
    with locked as materialized (
      select c.voyage_id, c.stretch, c.resource, p.amount
      from ${places} p
      join sailings s on s.id = p.sailing_id
      join voyage_capacity c on ${ARE_ITS_STRETCHES} and c.resource = p.resource
      order by c.voyage_id, c.stretch, c.resource
      for no key update of c
    )
    update voyage_capacity c set ${change}
    from (
      select voyage_id, stretch, resource, sum(amount)::int as amount
      from locked group by voyage_id, stretch, resource
    ) g
    where c.voyage_id = g.voyage_id and c.stretch = g.stretch and c.resource = g.resource
    returning c.voyage_id
  `;
}

/** A list of values, because the planner knows its length; for JSON it assumes a hundred rows and scans all sailings. */
export function requestedRows(places: readonly Places[]): SQL {
  const rows = places.map(
    ({ sailingId, resource, amount }) => sql`(${sailingId}::text, ${resource}::text, ${amount}::int)`,
  );
  return sql`select * from (values ${sql.join(rows, sql`, `)}) as w (sailing_id, resource, amount)`;
}
