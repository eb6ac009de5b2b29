import type Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { wakeMailWorker } from '../mail/outbox.ts';

/** What has to be asked for once the transaction is committed. Lost in a crash, the minute's jobs catch up. */
export type AfterCommit = {
  hasMail: boolean;
  refunds: string[];
  intentsToCancel: string[];
  /** Paid for the first time; the card may have to be kept. */
  paid: Stripe.PaymentIntent | null;
};

export function nothingAfterCommit(): AfterCommit {
  return { hasMail: false, refunds: [], intentsToCancel: [], paid: null };
}

/** Asks for mails, refunds, cancellations and the keeping of cards that a committed transaction decided. */
export async function runAfterCommit(deps: Deps, after: AfterCommit): Promise<void> {
  if (after.hasMail) wakeMailWorker(deps.jobs);
  if (after.paid) await askToKeep(deps, after.paid);
  for (const refund of after.refunds) await deps.jobs.send('refund', { refund_id: refund });
  for (const intent of after.intentsToCancel) {
    await deps.stripe.paymentIntents.cancel(intent).catch(() => {
      // It is already over, or the provider does not answer: reconciliation looks again.
    });
  }
}

/**
 * Asks for the card a successful payment was to save, if it was: `setup_future_usage` on an intent of a customer.
 * Done by a job, so that paying never waits for it.
 */
async function askToKeep({ jobs }: Pick<Deps, 'jobs'>, intent: Stripe.PaymentIntent): Promise<void> {
  const { payment_method: method, metadata } = intent;
  const reference = typeof method === 'string' ? method : method?.id;
  if (!isToBeSaved(intent) || reference === undefined) return;
  await jobs.send('keep-card', {
    payment_method: reference,
    ...(metadata.device === undefined ? {} : { device: metadata.device }),
    // An order may be paid by whoever has its address, so one buyer's wish must not save another's card.
    ...(metadata.order_id === undefined ? {} : { only: 'agreed' }),
  });
}

function isToBeSaved(intent: Stripe.PaymentIntent): boolean {
  return intent.status === 'succeeded' && intent.setup_future_usage !== null && intent.customer !== null;
}
