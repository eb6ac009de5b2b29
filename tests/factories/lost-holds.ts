import type { SqlStore } from '#server/database/database.ts';

/** Loses every hold without an order, as a crash of the database does with commits that were not on disk yet. */
export async function loseHolds(store: SqlStore): Promise<void> {
  await store.query(`
    with lost as (
      delete from hold_items i
      where not exists (select 1 from orders o where o.hold_id = i.hold_id)
      returning i.sailing_id, i.resource, i.amount
    ), places as (
      select sailing_id, resource, sum(amount)::int as amount from lost group by sailing_id, resource
    )
    update sailing_capacity c set held = c.held - p.amount
    from places p where p.sailing_id = c.sailing_id and p.resource = c.resource
  `);
  await store.query('delete from holds h where not exists (select 1 from orders o where o.hold_id = h.id)');
}
