import { and, eq, isNull, sql } from 'drizzle-orm';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { queryRows } from '../database/database.ts';
import { payouts } from '../database/schema/accounting.ts';
import { inTransaction } from '../database/transactions.ts';
import { notFound } from '../http/api-error.ts';
import { matchedItems } from './payouts.ts';
import { isProviderId } from './read-payout.ts';

/** `note`: what was found out and done. */
type PayoutCase = { payoutId: string; note: string; actor: AuditActor };

/**
 * Takes a payout with items that are not in the books off the list of what needs a person, once. Reports stay as they are.
 * @throws {ApiError} not_found, also if it is settled or all its items are in the books
 */
export function settlePayout(
  context: Pick<Context, 'db' | 'clock'>,
  { payoutId, note, actor }: PayoutCase,
): Promise<void> {
  if (!isProviderId(payoutId)) throw notFound();
  return inTransaction(context.db, async (tx) => {
    const [items] = await queryRows<{ unmatched: number }>(
      tx,
      sql`select count(*)::int as unmatched from ${matchedItems} i where i.payout_id = ${payoutId} and not i.is_matched`,
    );
    if (!items || items.unmatched === 0) throw notFound();
    const [settled] = await tx
      .update(payouts)
      .set({ settledAt: context.clock.now() })
      .where(and(eq(payouts.id, payoutId), isNull(payouts.settledAt)))
      .returning({ id: payouts.id });
    if (!settled) throw notFound();
    await recordAudit(tx, context, {
      ...{ actor, action: 'payout_settled', objectKind: 'report', objectId: `payouts/${payoutId}` },
      ...{ before: {}, after: items, reason: note },
    });
  });
}
