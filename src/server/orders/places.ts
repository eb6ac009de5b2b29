import { type SQL, sql } from 'drizzle-orm';
import type { CapacityResource } from '#domain/fares/capacity.ts';
import type { Context } from '../context.ts';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import { type Database, rowsOf } from '../database/database.ts';
import { withRetry } from '../database/transactions.ts';

/*
 * Every statement here locks its capacity rows in one order (sailing, resource) before it reads them, and changes all
 * of them or none, which prevents deadlocks. The order of locks over all tables is in database/transactions.ts.
 */

/** An amount of one resource on one sailing. */
export type Places = { sailingId: string; resource: CapacityResource; amount: number };

export type NewHold = {
  id: string;
  request: unknown;
  total: number;
  priceFingerprint: string;
  expiresAt: Date;
  expiresAtMax: Date;
  now: Date;
};

/**
 * Takes all places and writes the hold, or does nothing, in one statement. Commits asynchronously, because buyers of
 * one sailing wait for each other's commits; a later commit for the order also writes the hold to disk. Never call it
 * within a transaction.
 * @param input answer: a statement to run with it, given a relation that has one row if the hold is written
 * @returns false if a sailing is off sale or a resource does not suffice
 */
export async function takePlaces(
  db: Database,
  { hold, places, answer }: { hold: NewHold; places: readonly Places[]; answer: ((hold: SQL) => SQL) | null },
): Promise<boolean> {
  const now = at(hold.now);
  const [outcome] = await withRetry(() =>
    rowsOf<{ held: number }>(
      db,
      sql`
        with async_commit as materialized (${ASYNC_COMMIT}),
        wanted as (${wantedRows(places)}),
        ${takeAllOrNone({ column: 'held', where: isOnSale(now) })},
        hold as (
          insert into holds (id, status, request, total, price_fingerprint, expires_at, expires_at_max, inserted_at)
          select ${hold.id}, 'active', ${JSON.stringify(hold.request)}::jsonb, ${hold.total}::bigint,
            ${hold.priceFingerprint}, ${at(hold.expiresAt)}, ${at(hold.expiresAtMax)}, ${now}
          from async_commit where (select count(*) from taken) = (select count(*) from wanted)
          returning id
        ),
        items as (
          insert into hold_items (hold_id, sailing_id, resource, amount)
          select hold.id, g.sailing_id, g.resource, g.amount from granted g, hold
        )
        ${answer ? sql`, answer as (${answer(sql`hold`)})` : sql``}
        select count(*)::int as held from hold
      `,
    ),
  );
  return outcome?.held === 1;
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
  const [outcome] = await rowsOf<{ missing: number }>(
    tx,
    sql`
      with asked as (${wantedRows(places)}),
      old as (select sailing_id, resource, amount from hold_items where hold_id = ${holdId}),
      wanted as (
        select coalesce(a.sailing_id, o.sailing_id) as sailing_id, coalesce(a.resource, o.resource) as resource,
          coalesce(a.amount, 0) - coalesce(o.amount, 0) as amount
        from asked a full join old o on o.sailing_id = a.sailing_id and o.resource = a.resource
      ),
      ${takeAllOrNone({
        column: 'held',
        fits: sql`w.amount <= 0 or (${ARE_FREE} and ${isOnSale(at(clock.now()))})`,
      })}
      select ((select count(*) from wanted) - (select count(*) from taken))::int as missing
    `,
  );
  if (outcome?.missing !== 0) return false;
  await tx.execute(sql`delete from hold_items where hold_id = ${holdId}`);
  await tx.execute(sql`
    insert into hold_items (hold_id, sailing_id, resource, amount)
    select ${holdId}, w.sailing_id, w.resource, w.amount from (${wantedRows(places)}) w
  `);
  return true;
}

/** Releases the places of a hold. The transaction has just ended the hold, so this happens once. */
export async function releasePlaces(tx: Database, holdId: string): Promise<void> {
  await tx.execute(changeHeldPlaces(sql`(select ${holdId} as id)`, sql`held = c.held - l.amount`));
}

/**
 * The statement that turns the held places of a hold into sold ones.
 * @param hold a relation with the id of a hold that the same statement has consumed, or without rows
 */
export function sellHeldPlaces(hold: SQL): SQL {
  return changeHeldPlaces(hold, SELL_HELD);
}

/** The part of a statement that locks the places of a hold, for `sellLockedPlaces`. */
export function lockHeldPlaces(hold: SQL): SQL {
  return sql`
    select c.sailing_id, c.resource, i.amount
    from ${hold} h
    join hold_items i on i.hold_id = h.id
    join sailing_capacity c on c.sailing_id = i.sailing_id and c.resource = i.resource
    order by c.sailing_id, c.resource
    for no key update of c
  `;
}

/** Like `sellHeldPlaces`, of places that the same statement has locked. */
export function sellLockedPlaces(locked: SQL): SQL {
  return changePlaces(locked, SELL_HELD);
}

const SELL_HELD = sql`held = c.held - l.amount, sold = c.sold + l.amount`;

/**
 * Sells the places of an order whose hold has ended, if all are still free and no sailing has departed.
 * @returns false, with nothing changed, if not
 */
export async function sellFreePlaces(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  orderId: string,
): Promise<boolean> {
  const [outcome] = await rowsOf<{ missing: number }>(
    tx,
    sql`
      with wanted as (
        select p.sailing_id, p.resource, sum(p.amount)::int as amount
        from line_capacity p join order_lines l on l.id = p.line_id
        where l.order_id = ${orderId} and l.status = 'active'
        group by p.sailing_id, p.resource
      ),
      ${takeAllOrNone({
        column: 'sold',
        where: sql`s.status = 'scheduled' and not s.withdrawn and s.departs_at > ${at(clock.now())}`,
      })}
      select ((select count(*) from wanted) - (select count(*) from taken))::int as missing
    `,
  );
  return outcome?.missing === 0;
}

/** Puts the places of an order's active lines back on sale. The transaction cancels those lines. */
export async function releaseSoldPlaces(tx: Database, orderId: string): Promise<void> {
  await tx.execute(sql`
    with given as (
      select p.sailing_id, p.resource, sum(p.amount)::int as amount
      from line_capacity p join order_lines l on l.id = p.line_id
      where l.order_id = ${orderId} and l.status = 'active'
      group by p.sailing_id, p.resource
    ),
    locked as materialized (
      select c.sailing_id, c.resource, g.amount
      from sailing_capacity c join given g on g.sailing_id = c.sailing_id and g.resource = c.resource
      order by c.sailing_id, c.resource
      for no key update of c
    )
    update sailing_capacity c set sold = c.sold - l.amount
    from locked l where c.sailing_id = l.sailing_id and c.resource = l.resource
  `);
}

const ARE_FREE = sql`c.held + c.sold + w.amount <= c.sellable_online`;

/**
 * The part of a statement that takes all rows of its table `wanted` (sailing_id, resource, amount) or none. Afterwards
 * `granted` has the same rows or none, and `taken` equally many.
 * @param where which sailings (`s`) are allowed
 * @param fits whether a row of `wanted` (`w`) is available in its capacity (`c`)
 */
function takeAllOrNone({
  column,
  where = sql`true`,
  fits = ARE_FREE,
}: {
  column: 'held' | 'sold';
  where?: SQL;
  fits?: SQL;
}): SQL {
  const name = sql.raw(column);
  return sql`
    locked as materialized (
      select c.sailing_id, c.resource, w.amount, ${fits} as fits
      from sailing_capacity c
      join wanted w on w.sailing_id = c.sailing_id and w.resource = c.resource
      join sailings s on s.id = c.sailing_id
      where ${where}
      order by c.sailing_id, c.resource
      for no key update of c
    ),
    granted as materialized (
      select sailing_id, resource, amount from locked
      where (select count(*) from locked where fits) = (select count(*) from wanted)
    ),
    taken as (
      update sailing_capacity c set ${name} = c.${name} + g.amount
      from granted g where c.sailing_id = g.sailing_id and c.resource = g.resource
      returning c.sailing_id
    )
  `;
}

function changeHeldPlaces(hold: SQL, change: SQL): SQL {
  return sql`
    with locked as materialized (${lockHeldPlaces(hold)})
    ${changePlaces(sql`locked`, change)}
  `;
}

function changePlaces(locked: SQL, change: SQL): SQL {
  return sql`
    update sailing_capacity c set ${change}
    from ${locked} l where c.sailing_id = l.sailing_id and c.resource = l.resource
  `;
}

/** A list of values, because the planner knows its length; for JSON it assumes a hundred rows and scans all sailings. */
function wantedRows(places: readonly Places[]): SQL {
  const rows = places.map(
    ({ sailingId, resource, amount }) => sql`(${sailingId}::text, ${resource}::text, ${amount}::int)`,
  );
  return sql`select * from (values ${sql.join(rows, sql`, `)}) as w (sailing_id, resource, amount)`;
}

function isOnSale(now: SQL): SQL {
  return sql`s.status = 'scheduled' and not s.withdrawn and s.sales_close_at > ${now}`;
}

function at(instant: Date): SQL {
  return sql`${instant.toISOString()}::timestamptz`;
}
