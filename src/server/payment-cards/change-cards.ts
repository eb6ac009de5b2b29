import { eq } from 'drizzle-orm';
import type { PaymentCard, RemovedPaymentCard } from '#contract/payment-cards/schemas.ts';
import type { Context } from '../context.ts';
import { paymentCards } from '../database/schema/cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { operatorDay } from '../sailings/operator.ts';
import { leavePaymentCard } from './automatic-top-ups.ts';
import { lockHolder } from './provider-customer.ts';
import { checkStanding, findCard, findPrimaryCard, type OwnCard, presentCard } from './queries.ts';
import { dropMethods, settlePrimary } from './save-card.ts';

/** @throws {ApiError} not_found, card_expired */
export async function makeCardPrimary(
  context: Context,
  { customerId, cardId }: OwnCard,
): Promise<PaymentCard> {
  const now = context.clock.now();
  const card = await inTransaction(context.db, async (tx) => {
    await lockHolder(tx, customerId);
    const today = await operatorDay({ db: tx, clock: context.clock });
    const newPrimary = await findCard(tx, { customerId, cardId });
    if (!newPrimary) throw notFound();
    if (checkStanding(newPrimary, today).isExpired) throw new ApiError('card_expired');
    const primary = await settlePrimary(tx, { customerId, today, now, newPrimary });
    return presentCard(primary ?? newPrimary, { today, primaryId: primary?.id ?? null });
  });
  context.jobs.trigger('sync-payment-cards');
  return card;
}

/**
 * Deletes a card here at once and at the provider soon after. If it was the primary card, the newest unexpired card
 * replaces it. Automatic top-ups charged to it wait for another card.
 * @throws {ApiError} not_found
 */
export async function removeCard(
  context: Context,
  { customerId, cardId }: OwnCard,
): Promise<RemovedPaymentCard> {
  const now = context.clock.now();
  const removed = await inTransaction(context.db, async (tx) => {
    await lockHolder(tx, customerId);
    const today = await operatorDay({ db: tx, clock: context.clock });
    const card = await findCard(tx, { customerId, cardId });
    if (!card) throw notFound();
    const before = await findPrimaryCard(tx, { customerId, today });
    await tx
      .update(paymentCards)
      .set({ status: 'removed', isPrimary: false, updatedAt: now })
      .where(eq(paymentCards.id, card.id));
    await leavePaymentCard(tx, context, card.id);
    await dropMethods(tx, [card.providerReference], now);
    const primary = await settlePrimary(tx, { customerId, today, now });
    const isPromoted = primary !== null && before?.id === card.id;
    const promoted = isPromoted ? presentCard(primary, { today, primaryId: primary.id }) : null;
    return { id: card.id, promoted };
  });
  context.jobs.trigger('sync-payment-cards');
  return removed;
}
