import * as z from 'zod/mini';
import {
  AmountSchema,
  CodeSchema,
  CurrencySchema,
  IdSchema,
  InstantSchema,
  plainText,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { AMOUNT_LIMIT } from '#contract/limits.ts';
import { holdErrors } from '#contract/orders/buy/schemas.ts';
import { CARD_CODE_LENGTH } from '#contract/payments/in-person-schemas.ts';
import { TRIP_CARD_UNITS } from '#contract/trip-cards/schemas.ts';
import { DEVICE_NAME_LENGTH, FARE_PEOPLE_LIMIT } from '../limits.ts';
import * as endpoints from './endpoints.ts';

/** Of a pass: the lines and the passenger types that it pays for; null: all. */
const PassRulesSchema = z.object({
  name: z.string(),
  lines: z.nullable(z.array(z.string())),
  passenger_types: z.nullable(z.array(z.string())),
});

/** `ends_at`: a trip must begin before; null: no end, or it is not known. */
const ShownPassSchema = z.extend(PassRulesSchema, { ends_at: z.nullable(InstantSchema) });

/** A trip card or pass that is shown at a gate. `balance`: what it can spend, in minor units or trips. */
const FareCardSchema = z.object({
  id: IdSchema,
  last_four: z.string(),
  unit: z.enum(TRIP_CARD_UNITS),
  balance: z.int(),
  /** Frozen or lost. */
  is_blocked: z.boolean(),
  /** Of the code that was shown, in whole minutes since 1970; null: only the number was. */
  valid_until_minute: z.nullable(z.int()),
  /** Null: a card with money. */
  pass: z.nullable(ShownPassSchema),
});
export type FareCard = z.infer<typeof FareCardSchema>;

/** What a traveler of a type pays on a sailing. */
const TravelerFareSchema = z.object({
  type: CodeSchema,
  name: z.string(),
  amount: AmountSchema,
  /** Travels only with someone who does not need one. */
  needs_adult: z.boolean(),
});

/** The fares at the gate of a sailing, the usual traveler first, all in one fare class: the cheapest of this traveler. */
const SailingFaresSchema = z.object({
  sailing_id: IdSchema,
  /** As passes name it. */
  line: z.string(),
  fare_class: CodeSchema,
  travelers: z.array(TravelerFareSchema),
});
export type SailingFares = z.infer<typeof SailingFaresSchema>;

/** A pass as its code names it, with the rules of those on sale now. */
const PassProductSchema = z.extend(PassRulesSchema, { code: CodeSchema });

/** What a gate needs to take fares, also without a connection. */
export const GateFaresSchema = z.object({
  currency: CurrencySchema,
  /**
   * What a device may take of one card on a day without a connection, by the card's unit: minor units, trips. 0: nothing.
   */
  offline_limits: z.object({ money: AmountSchema, trips: z.int() }),
  /** Cards that are frozen or lost and may still have codes that are not out of date. */
  blocked: z.array(IdSchema),
  passes: z.array(PassProductSchema),
  /** People of one fare, at most. */
  max_party: z.int(),
  sailings: z.array(SailingFaresSchema),
});
export type GateFares = z.infer<typeof GateFaresSchema>;

/** Who travels for a fare. */
const FarePartySchema = z
  .array(z.strictObject({ type: CodeSchema, count: z.int().check(z.gte(1), z.lte(FARE_PEOPLE_LIMIT)) }))
  .check(z.minLength(1), z.maxLength(FARE_PEOPLE_LIMIT));
export type FareParty = z.infer<typeof FarePartySchema>;

/**
 * A fare that a gate took without a connection, of the card whose code is named. `amount`: minor units, or trips of a pass.
 */
export const OfflineFareFields = {
  code: plainText(1, CARD_CODE_LENGTH),
  passengers: FarePartySchema,
  amount: z.int().check(z.gte(1), z.lte(AMOUNT_LIMIT)),
};

/** The number of a trip card, or the text of a card's or a pass's code. */
const ShownCardSchema = plainText(1, CARD_CODE_LENGTH);

const TakeFareSchema = z.strictObject({
  sailing_id: IdSchema,
  card: ShownCardSchema,
  passengers: FarePartySchema,
  /** What the gate showed: minor units, or trips of a pass. Another one is refused. */
  amount: z.int().check(z.gte(1)),
  device: plainText(1, DEVICE_NAME_LENGTH),
});
export type TakeFare = z.infer<typeof TakeFareSchema>;

const TakenFareSchema = z.object({
  order_id: IdSchema,
  reference: z.string(),
  ticket_ids: z.array(IdSchema),
  /** What is left on the card, in its unit. */
  balance: z.int(),
});
export type TakenFare = z.infer<typeof TakenFareSchema>;

export const gateFareCalls = describeCalls(endpoints, {
  readFareCard: {
    summary: 'Read a trip card or pass that is shown at a gate',
    body: z.strictObject({ card: ShownCardSchema }),
    response: FareCardSchema,
    errors: ['unknown_trip_card'],
  },
  takeFare: {
    summary: 'Sell tickets for a boat to people at the gate, paid by a trip card or pass that they show',
    body: TakeFareSchema,
    response: TakenFareSchema,
    errors: [
      ...holdErrors,
      ...(['sailing_not_boarding', 'unknown_trip_card', 'fare_refused', 'insufficient_balance'] as const),
      ...(['trip_card_frozen', 'trip_card_lost', 'pass_expired', 'hold_expired', 'already_paid'] as const),
      ...(['order_closed', 'places_held_back'] as const),
    ],
  },
  undoFare: {
    summary: 'Cancel the tickets of a fare that was just taken, and give it back',
    response: z.object({ order_id: IdSchema }),
    errors: ['not_found', 'order_closed'],
  },
});
