import type { FareCard, FareParty, GateFares, SailingFares } from '#contract/gate/fares/schemas.ts';
import type { GateSailing } from '#contract/gate/schemas.ts';
import { isPassengerCovered } from '../passes/coverage.ts';
import type { ScannedCard } from '../trip-cards/trip-card-code.ts';
import { parseTripCardNumber } from '../trip-cards/trip-card-number.ts';

/** Why a trip card or pass does not pay. */
export type FareStop =
  | 'sailing_canceled'
  | 'departed'
  | 'no_fare'
  | 'needs_adult'
  | 'free'
  | 'card_blocked'
  | 'code_expired'
  | 'pass_ended'
  | 'other_line'
  | 'other_travelers'
  | 'not_enough'
  | 'limit_reached';

/** `amount`: in the card's unit. */
export type FareDecision =
  | { answer: 'take'; amount: number }
  /** `amount`: what they would pay; null: that is not known. */
  | { answer: 'stop'; reason: FareStop; amount: number | null };

/** Whether a scanned or typed text is that of a trip card or pass: its number or the beginning of its code. */
export function isShownCard(text: string): boolean {
  return /^\s*G[CP]1/i.test(text) || parseTripCardNumber(text) !== null;
}

export type FareInput = {
  card: FareCard;
  party: FareParty;
  sailing: Pick<GateSailing, 'status' | 'departed_at' | 'departs_at'>;
  /** Undefined: the sailing has none. */
  fares: SailingFares | undefined;
  /** What the device may still take of this card without a connection, in its unit; null: no limit. */
  left: number | null;
  /** In milliseconds since 1970. */
  now: number;
};

/**
 * Decides what a trip card or pass that is shown at a gate pays for people without tickets. The same function answers on
 * the device, from the card's code without a connection, and on the server, from the card itself.
 */
export function decideFare(input: FareInput): FareDecision {
  const { card, sailing, now } = input;
  const price = priceFare(input);
  const amount = typeof price === 'number' ? price : null;
  const stop = (reason: FareStop): FareDecision => ({ answer: 'stop', reason, amount });
  if (sailing.status !== 'scheduled') return stop('sailing_canceled');
  if (sailing.departed_at !== null) return stop('departed');
  if (card.is_blocked) return stop('card_blocked');
  if (card.valid_until_minute !== null && card.valid_until_minute * 60_000 < now) return stop('code_expired');
  if (typeof price !== 'number') return stop(price);
  if (price === 0) return stop('free');
  if (price > card.balance) return stop('not_enough');
  if (input.left !== null && price > input.left) return stop('limit_reached');
  return { answer: 'take', amount: price };
}

/** What the party pays in the card's unit, or why it cannot. A pass pays for all of them, or not at all. */
function priceFare({ card, party, sailing, fares }: FareInput): number | FareStop {
  const travelers = party.map(({ type, count }) => ({
    count,
    fare: fares?.travelers.find((each) => each.type === type),
  }));
  if (travelers.some(({ fare }) => fare === undefined)) return 'no_fare';
  if (travelers.every(({ fare }) => fare?.needs_adult === true)) return 'needs_adult';
  const payers = travelers.filter(({ fare }) => fare !== undefined && fare.amount > 0);
  if (card.pass === null) {
    return payers.reduce((sum, { count, fare }) => sum + count * (fare?.amount ?? 0), 0);
  }
  const { pass: rules } = card;
  const { ends_at: endsAt, lines } = rules;
  if (endsAt !== null && endsAt <= sailing.departs_at) return 'pass_ended';
  if (lines !== null && !lines.includes(fares?.line ?? '')) return 'other_line';
  if (!payers.every(({ fare }) => isPassengerCovered(rules, fare?.type ?? null))) return 'other_travelers';
  return payers.reduce((sum, { count }) => sum + count, 0);
}

/**
 * The card of a genuine code, as far as the gate's list knows. The end of a pass is not in its code, but no code is valid
 * after it.
 */
export function readCodeCard({ fields, product }: ScannedCard, { blocked, passes }: GateFares): FareCard {
  const { cardId: id, number, balance, validUntilMinute } = fields;
  const rules = passes.find(({ code }) => code === product);
  const unknownPass = { name: product ?? '', lines: [], passenger_types: [] };
  return {
    id,
    last_four: number.slice(-4),
    unit: product === null ? 'money' : 'trips',
    balance,
    is_blocked: blocked.includes(id),
    valid_until_minute: validUntilMinute,
    pass: product === null ? null : { ...(rules ?? unknownPass), ends_at: null },
  };
}

/** How many people a fare is for. */
export function countFarePeople(party: FareParty): number {
  return party.reduce((sum, { count }) => sum + count, 0);
}
