import type { Context } from '#server/context.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { findSavedCard, type SavedCard } from '#server/payment-cards/queries.ts';
import type { TripCardInput } from './trip-card-part.ts';

/** How a signed-in customer wants to pay: with a saved card or a new one, and a trip card or none. */
export type PaymentInput = {
  customerId: string;
  sessionId: string;
  device: string;
  /** A saved card to charge now. */
  paymentCardId: string | null;
  /** Whether the new card is saved for later. */
  isToBeSaved: boolean;
  tripCard: TripCardInput | null;
};

/**
 * The saved card to charge, if there is one.
 * @throws {ApiError} not_found, also for another customer's card; card_expired
 */
export async function requireSavedCard(
  context: Context,
  input: PaymentInput | null,
): Promise<SavedCard | null> {
  if (!input?.paymentCardId) return null;
  const card = await findSavedCard(context, { customerId: input.customerId, cardId: input.paymentCardId });
  if (!card) throw notFound();
  if (card.isExpired) throw new ApiError('card_expired');
  return card;
}
