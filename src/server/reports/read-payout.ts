import { eq } from 'drizzle-orm';
import type { Payout } from '#contract/reports/schemas.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { payouts } from '../database/schema/accounting.ts';
import { inTransaction } from '../database/transactions.ts';
import { notFound } from '../http/api-error.ts';
import { reportPayoutItems } from './payouts.ts';
import { formatReport } from './reports.ts';

/** @param zone of the days of items */
type PayoutQuery = { payoutId: string; zone: string };

/** Other text may be none that the database can compare. */
export function isProviderId(text: string): boolean {
  return /^\w{1,100}$/.test(text);
}

/** @throws {ApiError} not_found */
export async function readPayout(db: Database, query: PayoutQuery): Promise<Payout> {
  if (!isProviderId(query.payoutId)) throw notFound();
  const [payout] = await db.select().from(payouts).where(eq(payouts.id, query.payoutId));
  if (!payout) throw notFound();
  const { columns, rows } = await reportPayoutItems(db, query);
  const { id, status, arrivesOn, amount, currency, failureCode, isAutomatic, settledAt } = payout;
  return {
    ...{ id, status, arrives_on: arrivesOn, amount, currency, failure_code: failureCode },
    ...{
      is_automatic: isAutomatic,
      settled_at: settledAt?.toISOString() ?? null,
      columns: [...columns],
      rows,
    },
  };
}

/**
 * The items of a payout as CSV. The audit log records it.
 * @throws {ApiError} not_found
 */
export async function exportPayout(
  context: Pick<Context, 'db' | 'clock'>,
  { actor, ...query }: PayoutQuery & { actor: AuditActor },
): Promise<string> {
  return inTransaction(context.db, async (tx) => {
    const { id, columns, rows } = await readPayout(tx, query);
    await recordAudit(tx, context, {
      ...{ actor, action: 'report_exported', objectKind: 'report', objectId: `payouts/${id}` },
      ...{ before: {}, after: { rows: rows.length }, reason: null },
    });
    return formatReport({ columns, rows });
  });
}
