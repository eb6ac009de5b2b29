import { lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { providerEvents } from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import { daysBefore } from '../retention.ts';
import { nothingAfterCommit, runAfterCommit } from './after-commit.ts';
import { followDispute } from './disputes.ts';
import type { ProviderEvent } from './provider/payment-provider.ts';
import { applyRefund, findOpenRefunds } from './refunds.ts';
import { applyIntent, withPayingCard } from './settle-intent.ts';
import { type EventWork, type PaymentSubjects, subjectOf } from './subjects.ts';

const EVENT_DAYS = 30;

/**
 * Handles an event: it is remembered and applied in one transaction, so that it takes effect once however often and
 * in whatever order events arrive. Returns after the commit; after a failure the provider sends the event again.
 */
export async function applyEvent(
  context: Context,
  subjects: PaymentSubjects,
  event: ProviderEvent,
): Promise<void> {
  if (event.isLive === context.provider.isTest) {
    context.log.error('event of the other mode ignored', { event_id: event.id, livemode: event.isLive });
    return;
  }
  const work = await prepareWork(context, subjects, event);
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
  await followDispute(context, subjects, event);
}

async function prepareWork(
  context: Context,
  subjects: PaymentSubjects,
  event: ProviderEvent,
): Promise<EventWork | null> {
  switch (event.kind) {
    case 'intent': {
      const subject = subjectOf(subjects, event.intent);
      const intent = await withPayingCard(context, { subject, intent: event.intent });
      return async (tx) => {
        const after = await applyIntent(tx, context, { subject, intent });
        return () => runAfterCommit(context, after);
      };
    }
    case 'refund':
      return async (tx) => {
        await applyRefund(tx, context, subjects.refunds, event.refund);
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
