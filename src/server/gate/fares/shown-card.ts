import type { FareCard } from '#contract/gate/fares/schemas.ts';
import { parseTripCardCode } from '#domain/trip-cards/trip-card-code.ts';
import type { Database } from '#server/database/database.ts';
import { ApiError } from '#server/http/api-error.ts';
import { translatePass } from '#server/sailings/translate-catalogue.ts';
import { availableOn, findShownCard, type TripCardRow } from '#server/trip-cards/queries.ts';

/** A card that people show. `validUntilMinute`: of its code; null: only its number. */
export type ShownCard = { card: TripCardRow; validUntilMinute: number | null };

/**
 * Finds the card or pass of a number or a code.
 * @throws {ApiError} unknown_trip_card, also for money of another currency and a pass that was not paid
 */
export async function requireShownCard(db: Database, text: string, currency: string): Promise<ShownCard> {
  const card = await findShownCard(db, text);
  const isUsable = card?.currency === currency && (card.pass === null || card.entryCount > 0);
  if (!card || !isUsable) throw new ApiError('unknown_trip_card', { field: 'card' });
  return { card, validUntilMinute: parseTripCardCode(text)?.fields.validUntilMinute ?? null };
}

/** The card as a gate sees it. */
export function presentFareCard({ card, validUntilMinute }: ShownCard, language: string): FareCard {
  const { id, number, unit, status, pass, expiresAt } = card;
  return {
    id,
    last_four: number.slice(-4),
    unit,
    balance: availableOn(card),
    is_blocked: status !== 'active',
    valid_until_minute: validUntilMinute,
    pass: pass && {
      name: translatePass(pass, language).name,
      ends_at: expiresAt?.toISOString() ?? null,
      lines: pass.lines,
      passenger_types: pass.passenger_types,
    },
  };
}
