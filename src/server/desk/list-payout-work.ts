import { sql } from 'drizzle-orm';
import type { PayoutWork } from '#contract/desk/schemas.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { matchedItems } from '#server/reports/payouts.ts';

/** What no one has settled by then is not settled any more. */
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const LIMIT = 100;

/** Payouts of the card provider that need a person, the oldest first. */
export async function listPayoutWork(db: Database, now: Date): Promise<PayoutWork[]> {
  const since = new Date(now.getTime() - DAYS * DAY_MS).toISOString();
  const yesterday = new Date(now.getTime() - DAY_MS).toISOString();
  return queryRows<PayoutWork>(
    db,
    sql`
    with work as (
      select 'payout_failed' as kind, p.id, 0 as unmatched from payouts p
      where p.status = 'failed' and not exists (
        select from payouts later
        where later.currency = p.currency and later.created_at > p.created_at and later.status = 'paid')
      union all
      select 'payout_unmatched', i.payout_id, count(*)::int
      from ${matchedItems} i join payouts p on p.id = i.payout_id
      where p.settled_at is null and not i.is_matched and i.listed_at between ${since}::timestamptz and ${yesterday}::timestamptz
      group by i.payout_id
    )
    select work.kind, p.id as payout_id, p.arrives_on::text, p.amount::float8, p.currency, work.unmatched
    from work join payouts p on p.id = work.id
    order by work.kind, p.arrives_on, p.id
    limit ${LIMIT}`,
  );
}
