import { sql } from 'drizzle-orm';
import { backupAge } from '../backups/last-backup.ts';
import type { Context } from '../context.ts';
import { queryRows } from '../database/database.ts';
import type { QueueCounts } from '../jobs/jobs.ts';
import { isDoubtfulPayment, isReturnedRefund } from '../orders/pay/unsettled.ts';

/** Figures of the whole installation, the same in every process. */
export type Figures = {
  /** Places held for buyers right now. */
  holds: number;
  jobs: readonly QueueCounts[];
  mailsQueued: number;
  /** Refused in the last 24 hours. */
  mailsFailed: number;
  /** Refunds that are under way, and those that the bank returned and nothing has repeated. */
  refundsOpen: number;
  refundsFailed: number;
  /** Card payments that are open for more than an hour. */
  paymentsInDoubt: number;
  /** Seconds since an event of the card provider was accepted; null if there was none. */
  webhookAge: number | null;
  /** Seconds since the last backup was made; null if none was. */
  backupAge: number | null;
};

type Row = {
  holds: number;
  mails_queued: number;
  mails_failed: number;
  refunds_open: number;
  refunds_failed: number;
  payments_in_doubt: number;
  webhook_age: number | null;
  backup_age: number | null;
};

/** Reads the figures from the product's tables with one statement, and those of the jobs from their queue. */
export async function readFigures({
  db,
  clock,
  jobs,
}: Pick<Context, 'db' | 'clock' | 'jobs'>): Promise<Figures> {
  const [[row], queues] = await Promise.all([
    queryRows<Row>(
      db,
      sql`
      select
        (select count(*) from holds where status = 'active')::int as holds,
        (select count(*) from mails where status = 'queued')::int as mails_queued,
        (select count(*) from mails where status = 'failed' and try_at > now() - interval '24 hours')::int
          as mails_failed,
        (select count(*) from refunds where status in ('requested', 'pending'))::int as refunds_open,
        (select count(*) from refunds r where ${isReturnedRefund})::int as refunds_failed,
        (select count(*) from payments p where ${isDoubtfulPayment(clock.now())})::int as payments_in_doubt,
        (select extract(epoch from now() - max(received_at)) from provider_events)::float as webhook_age,
        ${backupAge} as backup_age`,
    ),
    jobs.countJobs(),
  ]);
  if (row === undefined) throw new Error('The figures were not read.');
  return {
    holds: row.holds,
    jobs: queues,
    mailsQueued: row.mails_queued,
    mailsFailed: row.mails_failed,
    refundsOpen: row.refunds_open,
    refundsFailed: row.refunds_failed,
    paymentsInDoubt: row.payments_in_doubt,
    webhookAge: row.webhook_age,
    backupAge: row.backup_age,
  };
}
