import type { StartPayment } from '#contract/orders/buy/schemas.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import type { PaymentInput } from './payment-input.ts';
import type { TripCardInput } from './trip-card-part.ts';

/**
 * The payment options that need a signed-in customer; null if there are none.
 * @throws {ApiError} unauthenticated, invalid_input for options that exclude each other
 */
export function readPaymentInput(
  session: { customerId: string; sessionId: string } | null,
  { body, client }: { body: StartPayment; client: Client },
): PaymentInput | null {
  const { payment_card_id: paymentCardId = null, save_card: isToBeSaved = false } = body;
  const tripCard = readTripCard(body);
  if (paymentCardId === null && !isToBeSaved && tripCard === null) return null;
  if (paymentCardId !== null && isToBeSaved) throw new ApiError('invalid_input', { field: 'save_card' });
  if (session === null) throw new ApiError('unauthenticated');
  const { customerId, sessionId } = session;
  return {
    customerId,
    sessionId,
    device: client.device,
    paymentCardId,
    isToBeSaved,
    tripCard: tripCard && { customerId, ...tripCard },
  };
}

function readTripCard(body: StartPayment): Omit<TripCardInput, 'customerId'> | null {
  const { method, trip_card_id: tripCardId, trip_card_amount: amount = null, trips = null } = body;
  const isWhole = method === 'trip_card';
  if (tripCardId === undefined) {
    if (isWhole) throw new ApiError('invalid_input', { field: 'trip_card_id' });
    if (amount !== null) throw new ApiError('invalid_input', { field: 'trip_card_amount' });
    if (trips !== null) throw new ApiError('invalid_input', { field: 'trips' });
    return null;
  }
  if (trips !== null && amount !== null) {
    throw new ApiError('invalid_input', { field: 'trip_card_amount' });
  }
  if (isWhole && (body.payment_card_id !== undefined || body.save_card)) {
    throw new ApiError('invalid_input', { field: 'method' });
  }
  return { tripCardId, amount, trips, isWhole };
}
