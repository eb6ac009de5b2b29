import { lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { providerEvents } from '../database/schema/system.ts';
import { inTransaction } from '../database/transactions.ts';
import { daysBefore } from '../retention.ts';
import { nothingAfterCommit, runAfterCommit } from './after-commit.ts';
import { followPayout } from './payouts.ts';
import type { ProviderDispute, ProviderEvent } from './provider/payment-provider.ts';
import { applyRefund, findOpenRefunds } from './refunds.ts';
import { applyIntent, settleIntent, withPayingCard } from './settle-intent.ts';
import { type EventWork, findSubject, type PaymentSubjects } from './subjects.ts';

const EVENT_DAYS = 30;

type ReceivedEvent = { event: ProviderEvent; subjects: PaymentSubjects };

/**
 * Handles an event: it is remembered and applied in one transaction, so that it takes effect once however often and
 * in whatever order events arrive. Returns after the commit; after a failure the provider sends the event again.
 */
export async function applyEvent(context: Context, received: ReceivedEvent): Promise<void> {
  const { event, subjects } = received;
  if (event.isLive === context.provider.isTest) {
    context.log.error('event of the other mode ignored', { event_id: event.id, livemode: event.isLive });
    return;
  }
  const work = await prepareWork(context, received);
  const followUp = await inTransaction(
    context.db,
    async (tx) => {
      const [isNew] = await tx
        .insert(providerEvents)
        .values({ id: event.id, type: event.type, receivedAt: context.clock.now() })
        .onConflictDoNothing()
        .returning({ id: providerEvents.id });
      return isNew && work ? work(tx) : null;
    },
    (error) => [...subjects.payments, subjects.savedCards].some((each) => each.isWorthRepeating(error)),
  );
  await followUp?.();
  // Also for an event that was remembered before: the process may have died at this point.
  await followDispute(context, received);
  if (event.kind === 'payout') await followPayout(context, event.payoutId);
}

async function prepareWork(context: Context, { event, subjects }: ReceivedEvent): Promise<EventWork | null> {
  switch (event.kind) {
    case 'intent': {
      const subject = findSubject(subjects, event.intent);
      const intent = await withPayingCard(context, { subject, intent: event.intent });
      return async (tx) => {
        const after = await applyIntent(tx, context, { subject, intent });
        return () => runAfterCommit(context, after);
      };
    }
    case 'refund':
      return async (tx) => {
        await applyRefund(tx, context, { subject: subjects.refunds, reported: event.refund });
        return async () => {};
      };
    case 'charge_refunded':
      return async (tx) => {
        const refunds = await findOpenRefunds(tx, event.intentId);
        return () => runAfterCommit(context, { ...nothingAfterCommit(), refunds });
      };
    default:
      return subjects.savedCards.prepare(context, event);
  }
}

/** The provider repeats an event for three days at most; a month leaves time to investigate. */
export async function deleteOldEvents(db: Database, now: Date): Promise<void> {
  await db.delete(providerEvents).where(lt(providerEvents.receivedAt, daysBefore(now, EVENT_DAYS)));
}

/** A dispute does not change more often than this while it is being applied. */
const MAX_READS = 5;

/**
 * Applies the current state of the dispute that an event reports. Events arrive in any order and are handled
 * concurrently, so the state is read again after it was applied, until it has not changed: an older state that was
 * written last is corrected. Call it outside of a transaction; repeating it has no further effect.
 * @throws {ApiError} payment_unavailable; the provider sends the event again
 */
async function followDispute(context: Context, { event, subjects }: ReceivedEvent): Promise<void> {
  if (event.kind !== 'dispute') return;
  const { disputeId: id, intentId } = event;
  // A disputed payment has succeeded, although the event of its success may arrive later.
  const intent = intentId === '' ? null : await context.provider.findIntent(intentId);
  if (intent) await settleIntent(context, { subject: findSubject(subjects, intent), intent });
  let applied: ProviderDispute['status'] | null = null;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const dispute = await context.provider.findDispute(id);
    if (!dispute) return context.log.error('dispute unknown to the provider', { dispute: id });
    if (dispute.status === applied) return;
    await inTransaction(context.db, (tx) => applyDispute(tx, context, { ...subjects, dispute }));
    applied = dispute.status;
  }
}

async function applyDispute(
  tx: Database,
  context: Context,
  { payments, dispute }: Pick<PaymentSubjects, 'payments'> & { dispute: ProviderDispute },
): Promise<void> {
  for (const subject of payments) {
    if (await subject.applyDispute(tx, context, dispute)) return;
  }
  context.log.error('dispute of no payment of ours', { dispute: dispute.id });
}
