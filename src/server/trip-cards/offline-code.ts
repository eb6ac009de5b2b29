import type { OfflineCode } from '#contract/trip-cards/schemas.ts';
import { encodeTripCardCode, formatTripCardCode } from '#domain/trip-cards/trip-card-code.ts';
import type { Context } from '../context.ts';
import { availableOn, requireActive, requireHeldCard } from './queries.ts';

const VALID_HOURS = 24;
const MINUTE_MS = 60_000;

/**
 * A code to show at the gate, valid for a day, also offline.
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost
 */
export async function makeOfflineCode(
  { db, clock, ticketSigner }: Pick<Context, 'db' | 'clock' | 'ticketSigner'>,
  customerId: string,
  cardId: string,
): Promise<OfflineCode> {
  const { card } = await requireHeldCard(db, customerId, cardId, 'spend');
  requireActive(card);
  const now = clock.now();
  const madeMinute = Math.floor(now.getTime() / MINUTE_MS);
  const validUntilMinute = madeMinute + VALID_HOURS * 60;
  const signed = encodeTripCardCode({
    keyId: ticketSigner.keyId,
    cardId,
    number: card.number,
    balance: availableOn(card),
    madeMinute,
    validUntilMinute,
    version: card.version,
  });
  return {
    payload: formatTripCardCode(signed, ticketSigner.sign(signed)),
    key_id: ticketSigner.keyId,
    balance: availableOn(card),
    currency: card.currency,
    as_of: now.toISOString(),
    valid_until: new Date(validUntilMinute * MINUTE_MS).toISOString(),
  };
}
