import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/transactions.ts';
import type { ProviderDispute, ProviderEvent } from './provider/payment-provider.ts';
import { settleIntent } from './settle-intent.ts';
import { type PaymentSubjects, subjectOf } from './subjects.ts';

/** A dispute does not change more often than this while it is being applied. */
const MAX_READS = 5;

/**
 * Applies the current state of the dispute that an event reports. Events arrive in any order and are handled
 * concurrently, so the state is read again after it was applied, until it has not changed: an older state that was
 * written last is corrected. Call it outside of a transaction; repeating it has no further effect.
 * @throws {ApiError} payment_unavailable; the provider sends the event again
 */
export async function followDispute(
  context: Context,
  subjects: PaymentSubjects,
  event: ProviderEvent,
): Promise<void> {
  if (event.kind !== 'dispute') return;
  const { disputeId: id, intentId } = event;
  // A disputed payment has succeeded, although the event of its success may arrive later.
  const intent = intentId === '' ? null : await context.provider.findIntent(intentId);
  if (intent) await settleIntent(context, { subject: subjectOf(subjects, intent), intent });
  let applied: ProviderDispute['status'] | null = null;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const dispute = await context.provider.findDispute(id);
    if (!dispute) return context.log.error('dispute unknown to the provider', { dispute: id });
    if (dispute.status === applied) return;
    await inTransaction(context.db, (tx) => applyDispute(tx, context, subjects, dispute));
    applied = dispute.status;
  }
}

async function applyDispute(
  tx: Database,
  context: Context,
  { payments }: PaymentSubjects,
  dispute: ProviderDispute,
): Promise<void> {
  for (const subject of payments) {
    if (await subject.applyDispute(tx, context, dispute)) return;
  }
  context.log.error('dispute of no payment of ours', { dispute: dispute.id });
}
