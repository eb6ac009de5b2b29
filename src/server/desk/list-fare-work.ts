import { sql } from 'drizzle-orm';
import type { FareWork } from '#contract/desk/schemas.ts';
import { FARE_UNDO_MS } from '#contract/gate/limits.ts';
import { type Database, queryRows } from '#server/database/database.ts';

/** What no one has settled by then is not settled any more. */
const DAYS = 30;
const LIMIT = 500;

type Row = Omit<FareWork, 'at'> & { at: string };

/**
 * Fares of gates without a connection that need a person, the oldest first: those that the card did not pay, and those of a
 * card that several devices took for one boat, until staff close one of them. With sailings, only the fares of these. Those whose sailing was removed stay listed, without their events.
 */
export async function listFareWork(
  db: Database,
  now: Date,
  sailingIds: readonly string[] | null,
): Promise<FareWork[]> {
  const since = new Date(now.getTime() - DAYS * 24 * 3_600_000).toISOString();
  const rows = await queryRows<Row>(
    db,
    sql`
    with fares as (
      select g.*, e.sailing_id, e.sailing_id is not null
        and min(g.place) over card_on_boat <> max(g.place) over card_on_boat as is_twice
      from gate_charges g left join gate_events e on e.id = g.device_id
      where g.inserted_at > ${since}::timestamptz and g.device_id like 'gev\\_%' and g.closed_at is null
        and not exists (
          select from gate_events u where u.undoes = g.device_id and u.device = g.place
            and u.occurred_at - g.occurred_at <= ${FARE_UNDO_MS} * interval '1 millisecond')
      window card_on_boat as (partition by g.number, e.sailing_id)
    ), work as (
      select 'fare_owed' as kind, f.sailing_id, f.device_id as id, f.number, f.unit, f.place, f.occurred_at, d.amount - d.settled as amount, d.reason
      from fares f join trip_card_debts d on d.device_id = f.device_id and d.device_seq = f.device_seq
      where d.settled < d.amount
      union all
      select 'fare_twice', f.sailing_id, f.device_id, f.number, f.unit, f.place, f.occurred_at, f.amount, null from fares f where f.is_twice
    )
    select work.kind, work.id, right(work.number, 4) as last_four, work.unit, work.place as device, work.occurred_at as at, work.amount::int,
      work.reason, coalesce(c.currency, (select currency from feed)) as currency,
      coalesce(p.name, '') as contact_name, coalesce(p.email, '') as contact_email, coalesce(p.phone, '') as phone
    from work left join trip_cards c on c.number = work.number left join customers p on p.id = c.customer_id
    where ${sailingIds === null} or work.sailing_id in (select jsonb_array_elements_text(${JSON.stringify(sailingIds ?? [])}::jsonb))
    order by work.kind, work.number, work.occurred_at
    limit ${LIMIT}`,
  );
  return rows.map(({ at, ...row }) => ({ ...row, at: new Date(at).toISOString() }));
}
