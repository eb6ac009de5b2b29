import type { Context } from '../context.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { reviewSale, type Sale } from '../sailings/exceptions/review-sale.ts';
import type { ProviderIntent } from './provider/payment-provider.ts';

/** What to do once the transaction is committed. If a crash loses it, the jobs of every minute catch up. */
export type AfterCommit = {
  hasMail: boolean;
  sales: Sale[];
  refunds: string[];
  intentsToCancel: string[];
  /** An intent that paid now; its card may have to be saved. */
  paid: { intent: ProviderIntent; isConsentRequired: boolean } | null;
};

export function nothingAfterCommit(): AfterCommit {
  return { hasMail: false, sales: [], refunds: [], intentsToCancel: [], paid: null };
}

export async function runAfterCommit(context: Context, after: AfterCommit): Promise<void> {
  if (after.hasMail) wakeMailWorker(context.jobs);
  for (const sale of after.sales) await reviewSale(context, sale);
  if (after.paid) await requestSavingCard(context, after.paid);
  for (const refund of after.refunds) await context.jobs.send('refund', { refund_id: refund });
  for (const intent of after.intentsToCancel) await context.provider.tryToCancelIntent(intent);
}

/** Saving is left to a job, so that paying never waits for it. */
async function requestSavingCard(
  { jobs }: Pick<Context, 'jobs'>,
  { intent, isConsentRequired }: NonNullable<AfterCommit['paid']>,
): Promise<void> {
  const { savesCard, customerId, cardId, metadata } = intent;
  if (!savesCard || customerId === null || cardId === null) return;
  await jobs.send('save-card', {
    payment_method: cardId,
    ...(metadata.device === undefined ? {} : { device: metadata.device }),
    ...(isConsentRequired ? { only: 'agreed' } : {}),
  });
}
