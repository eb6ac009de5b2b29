import * as z from 'zod/mini';
import { FarePolicySchema } from '#contract/catalogue/schemas.ts';
import {
  AmountSchema,
  CodeSchema,
  CurrencySchema,
  EmailSchema,
  IdSchema,
  InstantSchema,
  LanguageTagSchema,
  LocalTimeSchema,
  PhoneSchema,
  PositiveAmountSchema,
  plainText,
  TermsVersionSchema,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import {
  CODE_LENGTH,
  GROUP_LIMIT,
  PASS_TRIPS_LIMIT,
  PERSON_NAME_LENGTH,
  VEHICLE_SIZE_LIMITS,
} from '#contract/limits.ts';
import { ASSISTANCE_NEEDS, ASSISTANCE_NOTE_LENGTH } from './assistance.ts';
import * as endpoints from './endpoints.ts';
import { LEGS } from './legs.ts';

/** Most passengers in one booking of the public, if the operator sets no smaller limit. Larger groups book by telephone. */
export const PARTY_LIMIT = 20;

/** A license plate: letters of any script, digits, spaces and dashes; stored in upper case. */
export const PlateSchema = z.string().check(
  z.trim(),
  z.overwrite((text) => text.toUpperCase().replace(/\s+/g, ' ')),
  z.regex(/^[\p{L}\p{N}][\p{L}\p{N} -]{0,11}$/u),
);

export const VehicleSchema = z.strictObject({
  type: CodeSchema,
  length_cm: z.optional(z.int().check(z.gte(1), z.lte(VEHICLE_SIZE_LIMITS.length))),
  height_cm: z.optional(z.int().check(z.gte(1), z.lte(VEHICLE_SIZE_LIMITS.height))),
  trailer_cm: z.optional(z.int().check(z.gte(0), z.lte(VEHICLE_SIZE_LIMITS.trailer))),
});
export type Vehicle = z.infer<typeof VehicleSchema>;

export const LegSchema = z.enum(LEGS);

/** Who and what travels on each boat. */
export const PartySchema = z.strictObject({
  passengers: z
    .array(
      z.strictObject({
        type: CodeSchema,
        count: z.int().check(z.gte(0), z.lte(GROUP_LIMIT)),
      }),
    )
    .check(z.minLength(1), z.maxLength(20)),
  vehicle: z._default(z.nullable(VehicleSchema), null),
  bicycles: z._default(z.int().check(z.gte(0), z.lte(GROUP_LIMIT)), 0),
});

/** Sailings with the same party, vehicle and bicycles. Clients never send prices. */
const QuoteRequestSchema = z.strictObject({
  /** In the order of `LEGS`. Without `leg`: outward, then back. */
  legs: z
    .array(z.strictObject({ sailing_id: IdSchema, leg: z.optional(LegSchema) }))
    .check(z.minLength(1), z.maxLength(LEGS.length)),
  ...PartySchema.shape,
  fare_class: CodeSchema,
  promo_code: z._default(z.nullable(plainText(0, CODE_LENGTH)), null),
});
export type QuoteRequest = z.infer<typeof QuoteRequestSchema>;

export const LINE_KINDS = ['passenger', 'vehicle', 'bicycle', 'fee', 'discount'] as const;

export const QuoteLineSchema = z.object({
  leg: LegSchema,
  kind: z.enum(LINE_KINDS),
  description: z.string(),
  /** The driver whom the vehicle's fare includes. Absent for other lines. */
  is_driver: z.optional(z.boolean()),
  quantity: z.int(),
  unit_amount: AmountSchema,
  amount: AmountSchema,
});
export type QuoteLine = z.infer<typeof QuoteLineSchema>;

export const QuoteSchema = z.object({
  /** Opaque, signed by the server, valid until `expires_at`. */
  id: z.string(),
  lines: z.array(QuoteLineSchema),
  /** The law asks for the travelers' details on one of the sailings. Absent: it does not. */
  needs_passenger_list: z.optional(z.literal(true)),
  subtotal: AmountSchema,
  discount: AmountSchema,
  tax: AmountSchema,
  total: AmountSchema,
  currency: CurrencySchema,
  promo_code: z.nullable(z.string()),
  /** `summary`: what holds for refunds and changes of these sailings now. */
  fare_class: z.object({ code: z.string(), name: z.string(), summary: z.string() }),
  policy: FarePolicySchema,
  /** The fare's policy in sentences, shown before payment. */
  policy_text: z.array(z.string()),
  expires_at: InstantSchema,
});
export type Quote = z.infer<typeof QuoteSchema>;

/** Details of a `sold_out` refusal: the resource that is full, and the next sailings of the route that have space. */
const SoldOutDetailsSchema = z.object({
  resource: z.string(),
  sailing_id: IdSchema,
  alternatives: z.array(
    z.object({
      sailing_id: IdSchema,
      departs_at: InstantSchema,
      departs_local: LocalTimeSchema,
      vessel_name: z.string(),
    }),
  ),
});
export type SoldOutDetails = z.infer<typeof SoldOutDetailsSchema>;

/** Details of a `price_changed` refusal: a new quote that can be accepted. */
export type PriceChangedDetails = { quote: Quote };

const quoteId = z.string().check(z.minLength(20), z.maxLength(4000));

const TakeHoldSchema = z.strictObject({ quote_id: quoteId });
/** With `quote_id`: replaces the hold. Without: extends it once, never beyond `expires_at_max`. */
const ChangeHoldSchema = z.strictObject({ quote_id: z.optional(quoteId) });

export const HoldSchema = z.object({
  id: IdSchema,
  status: z.enum(['active', 'consumed', 'released', 'expired']),
  expires_at: InstantSchema,
  expires_at_max: InstantSchema,
  can_extend: z.boolean(),
  order_id: z.nullable(IdSchema),
  /** Server time, so that a device with a wrong clock still counts down correctly. */
  as_of: InstantSchema,
});
export type Hold = z.infer<typeof HoldSchema>;

export const ContactSchema = z.strictObject({
  name: plainText(1, PERSON_NAME_LENGTH),
  email: EmailSchema,
  phone: z._default(PhoneSchema, ''),
});
export type Contact = z.infer<typeof ContactSchema>;

/** In the order of the fare lines. Empty and missing names are passengers without a name. */
export const TravelerNamesSchema = z.array(plainText(0, PERSON_NAME_LENGTH)).check(
  z.maxLength(GROUP_LIMIT),
  z.overwrite((names) => names.slice(0, names.findLastIndex((name) => name !== '') + 1)),
);

/** One entry for each passenger who needs assistance. */
const AssistanceSchema = z
  .array(
    z.strictObject({
      /** The passenger's number in the party, from 1, in the order of the fare lines. */
      traveler: z.int().check(z.gte(1), z.lte(GROUP_LIMIT)),
      needs: z.array(z.enum(ASSISTANCE_NEEDS)).check(z.maxLength(ASSISTANCE_NEEDS.length)),
      note: z._default(plainText(0, ASSISTANCE_NOTE_LENGTH), ''),
    }),
  )
  .check(
    z.maxLength(GROUP_LIMIT),
    z.overwrite((entries) => entries.filter(({ needs, note }) => needs.length > 0 || note !== '')),
  );
export type AskedAssistance = z.infer<typeof AssistanceSchema>;

export const CreateOrderSchema = z.strictObject({
  hold_id: IdSchema,
  quote_id: quoteId,
  contact: ContactSchema,
  plate: z._default(z.nullable(PlateSchema), null),
  traveler_names: z.optional(TravelerNamesSchema),
  assistance: z.optional(AssistanceSchema),
  terms_version: TermsVersionSchema,
  /** Of dates and money in the order's mails and documents; the operator's if absent. */
  locale: z.optional(LanguageTagSchema),
});
export type CreateOrder = z.infer<typeof CreateOrderSchema>;

const BuyerSecret = {
  /** Needed for an order that belongs to no account: from the answer to `createOrder` or `proveBuyer`. */
  buyer_secret: z.optional(z.string().check(z.maxLength(128))),
};

export const ChangeOrderSchema = z.strictObject({
  contact: z.optional(ContactSchema),
  plate: z.optional(PlateSchema),
  traveler_names: z.optional(TravelerNamesSchema),
  /** Replaces all of it. */
  assistance: z.optional(AssistanceSchema),
  ...BuyerSecret,
});
export type ChangeOrder = z.infer<typeof ChangeOrderSchema>;

export const CancelOrderSchema = z.strictObject(BuyerSecret);

/**
 * A saved card, saving a new card and a trip card each require a session; the first two exclude each other. With method
 * `trip_card` the trip card pays the whole amount. With method `card` it pays first and the payment card pays the rest.
 */
export const StartPaymentSchema = z.strictObject({
  method: z.enum(['card', 'trip_card']),
  /** A card of the customer's, charged at once. `requires_action`: the bank requires authentication. */
  payment_card_id: z.optional(IdSchema),
  /** Whether to save the card for later payments. */
  save_card: z.optional(z.boolean()),
  /** A trip card that the customer owns or may spend from. */
  trip_card_id: z.optional(IdSchema),
  /** The part of the total that the trip card pays; absent: as much as possible. */
  trip_card_amount: z.optional(PositiveAmountSchema),
  /** The trips of a pass that pay, as offered for the order; needed if the trip card is a pass. */
  trips: z.optional(z.int().check(z.gte(1), z.lte(PASS_TRIPS_LIMIT))),
});
export type StartPayment = z.infer<typeof StartPaymentSchema>;

export const OrderLookupSchema = z.strictObject({
  reference: z.string().check(z.trim(), z.minLength(4), z.maxLength(16)),
  email: EmailSchema,
});

const priceErrors = [
  'not_found',
  'no_fare',
  'no_passengers',
  'needs_adult',
  'party_too_large',
  'vehicles_not_carried',
  'bicycles_not_carried',
  'vehicle_too_long',
  'vehicle_too_high',
  'return_before_outward',
  'connection_missed',
  'promo_invalid',
  'promo_used_up',
  'sales_closed',
  'sailing_canceled',
] as const satisfies readonly ErrorCode[];
export const holdErrors = [
  ...priceErrors,
  'sold_out',
  'quote_expired',
  'price_changed',
] as const satisfies readonly ErrorCode[];

export const checkoutCalls = describeCalls(endpoints, {
  createQuote: {
    summary: 'Price a party; no places are held',
    body: QuoteRequestSchema,
    response: QuoteSchema,
    errors: [...priceErrors, 'rate_limited'],
  },
  takeHold: {
    summary: 'Hold the places of a quote for a limited time',
    body: TakeHoldSchema,
    response: HoldSchema,
    errors: [...holdErrors, 'rate_limited'],
  },
  changeHold: {
    summary: 'Replace the quote of a hold, or extend the hold',
    body: ChangeHoldSchema,
    response: HoldSchema,
    errors: [
      ...holdErrors,
      'hold_expired',
      'hold_not_extendable',
      'already_paid',
      'order_closed',
      'payment_in_progress',
      'payment_unavailable',
    ],
  },
  releaseHold: {
    summary: 'Release the places of a hold',
    response: HoldSchema,
    errors: ['not_found'],
  },
});
