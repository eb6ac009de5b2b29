import type { SqlStore } from '#server/database/sql-store.ts';

/** Holds of buyers who have no order yet. Those of offers and changes are on disk when they are committed. */
const LOST = `not exists (select 1 from orders o where o.hold_id = h.id)
  and not exists (select 1 from rebooking_offers f where f.hold_id = h.id)
  and not exists (select 1 from order_changes g where g.hold_id = h.id)`;

/** Loses every hold without an order, as a crash of the database does with commits that were not on disk yet. */
export async function loseHolds(store: SqlStore): Promise<void> {
  await store.query(`
    with lost as (
      delete from hold_items i
      where hold_id in (select h.id from holds h where ${LOST})
      returning i.sailing_id, i.resource, i.amount
    ), places as (
      select s.voyage_id, stretch, lost.resource, sum(lost.amount)::int as amount
      from lost join sailings s on s.id = lost.sailing_id
      cross join lateral generate_series(s.first_stop, s.last_stop - 1) as stretch
      group by s.voyage_id, stretch, lost.resource
    )
    update voyage_capacity c set held = c.held - p.amount
    from places p where p.voyage_id = c.voyage_id and p.stretch = c.stretch and p.resource = c.resource
  `);
  await store.query(`delete from holds h where ${LOST}`);
}
