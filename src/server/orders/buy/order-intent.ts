import { eq } from 'drizzle-orm';
import { isExplained, presentDecline } from '#contract/payments/declines.ts';
import { SOURCE_LANGUAGE } from '#messages/languages.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import { orders, type PaymentRow } from '#server/database/schema/sales.ts';
import { ApiError } from '#server/http/api-error.ts';
import { ensureProviderCustomer } from '#server/payment-cards/provider-customer.ts';
import type { SavedCard } from '#server/payment-cards/queries.ts';
import type { ProviderIntent } from '#server/payments/provider/payment-provider.ts';
import { settleIntent } from '#server/payments/settle-intent.ts';
import { orderSubject } from '../pay/order-subject.ts';
import type { PaymentInput } from './payment-input.ts';

/**
 * The payment's intent, created if there is none. What happened to an earlier one is settled first.
 * @throws {ApiError} payment_unavailable
 */
export async function ensureIntent(context: Context, payment: PaymentRow): Promise<ProviderIntent> {
  if (payment.providerReference !== null) {
    const intent = await context.provider.fetchIntent(payment.providerReference);
    await settleIntent(context, { subject: orderSubject, intent });
    return intent;
  }
  const [order] = await context.db
    .select({ reference: orders.reference })
    .from(orders)
    .where(eq(orders.id, payment.orderId));
  const reference = order?.reference ?? '';
  return context.provider.createIntent({
    money: payment,
    description: `Ferry tickets ${reference}`,
    metadata: { order_id: payment.orderId, payment_id: payment.id, reference },
    idempotencyKey: `order:${payment.orderId}:attempt:${payment.attempt}`,
  });
}

/**
 * Updates the intent to the current options; the last caller wins. A card is saved only for the customer who asked
 * for it last, and not at all once a visitor continues.
 * @throws {ApiError} payment_unavailable
 */
export async function updateIntent(
  context: Context,
  { intent, payment: input }: { intent: ProviderIntent; payment: PaymentInput | null },
): Promise<ProviderIntent> {
  const savesCard = input?.isToBeSaved ?? false;
  const needsCustomer = input !== null && (savesCard || input.paymentCardId !== null);
  const customerId = needsCustomer ? await ensureProviderCustomer(context, input.customerId) : null;
  const isCurrent =
    intent.savesCard === savesCard && (customerId === null || intent.customerId === customerId);
  if (isCurrent) return intent;
  const metadata = input ? { device: input.device } : {};
  return context.provider.updateIntent(intent.id, { savesCard, customerId, metadata });
}

/**
 * Charges a saved card, and settles the outcome before it returns, declines included.
 * @returns the intent: succeeded, processing, or waiting for authentication
 * @throws {ApiError} card_declined, payment_failed, authentication_required, order_closed, payment_unavailable
 */
export async function chargeSavedCard(
  context: Context,
  { intent: { id }, card, returnPath }: { intent: ProviderIntent; card: SavedCard; returnPath: string },
): Promise<ProviderIntent> {
  const returnUrl = context.config.origins.tickets + returnPath;
  const intent = await context.provider.confirmIntent(id, { cardId: card.providerReference, returnUrl });
  await settleIntent(context, { subject: orderSubject, intent });
  if (intent.decline) {
    const decline = intent.decline.code;
    const { code } = presentDecline(textsIn(SOURCE_LANGUAGE), decline);
    throw new ApiError(code, isExplained(decline) ? { reason: 'card_refused', params: { decline } } : {});
  }
  if (intent.status === 'canceled') throw new ApiError('order_closed');
  if (intent.status === 'created') throw new ApiError('payment_failed');
  return intent;
}
