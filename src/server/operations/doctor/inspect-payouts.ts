import { sql } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { queryRows } from '#server/database/database.ts';
import { type Finding, findingIf } from './finding.ts';

const DAYS = 10;

/** Whether the card provider keeps money of payments without paying it out. */
export async function inspectProviderPayouts({
  db,
  clock,
  config,
}: Pick<Context, 'db' | 'clock' | 'config'>): Promise<Finding[]> {
  if (config.stripe === null) return [];
  const since = new Date(clock.now().getTime() - DAYS * 24 * 3_600_000).toISOString();
  const [row] = await queryRows<{ last: string | null; waiting: boolean }>(
    db,
    sql`
      select max(arrives_on)::text as last,
        exists (
          select from money_entries m where m.method = 'card' and m.amount > 0 and m.booked_at < ${since}::timestamptz
            and m.booked_at >= coalesce(max(p.created_at), '-infinity')
        ) as waiting
      from payouts p where p.status = 'paid'`,
  );
  const last = row?.last ?? null;
  return findingIf(row?.waiting ?? false, {
    severity: 'warning',
    problem:
      last === null
        ? `Cards have paid for more than ${DAYS} days, and the card provider has paid nothing out.`
        : `The last payout of the card provider arrived on ${last}, and card payments have waited for more than ${DAYS} days.`,
    remedy: 'Look for payouts and the bank account at the card provider, and for its webhooks "payout.…".',
  });
}
