import type { AddPaymentCard, PaymentCard } from '#contract/payment-cards/schemas.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../http/api-error.ts';
import { findHolder } from './provider-customer.ts';
import { readOwnCard } from './read-cards.ts';
import { saveCard } from './save-card.ts';

/**
 * Adds the card of a finished setup of this customer. A repeated request returns the same card, for pages that lost
 * the answer or were reloaded.
 * @throws {ApiError} setup_refused for an unknown setup or another customer's, setup_unfinished, payment_unavailable
 */
export async function addCard(
  context: Context,
  {
    customerId,
    device,
    setup_intent_id: setupId,
    primary: isWantedPrimary,
  }: AddPaymentCard & { customerId: string; device: string },
): Promise<PaymentCard> {
  const holder = await findHolder(context.db, customerId);
  const setup = holder && (await context.provider.findSetup(setupId));
  if (!setup || setup.customerId !== holder.providerReference) throw new ApiError('setup_refused');
  if (setup.status !== 'succeeded' || setup.cardId === null) throw new ApiError('setup_unfinished');
  const saved = setup.card && (await saveCard(context, { card: setup.card, device, isWantedPrimary }));
  if (saved?.customerId !== customerId) throw new ApiError('setup_refused');
  return readOwnCard(context, { customerId, cardId: saved.card.id });
}
