import * as z from 'zod/mini';
import { FarePolicySchema } from '#contract/catalogue/schemas.ts';
import {
  AmountSchema,
  CurrencySchema,
  EmailSchema,
  IdSchema,
  InstantSchema,
  LocalTimeSchema,
  PhoneSchema,
  plainText,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import * as endpoints from './endpoints.ts';

/** Limits of one booking; more than this is a call to the office. */
export const PARTY_LIMIT = 20;

/** A licence plate: letters of any script, digits, spaces and dashes; kept upper case. */
export const PlateSchema = z.string().check(
  z.trim(),
  z.overwrite((text) => text.toUpperCase().replace(/\s+/g, ' ')),
  z.regex(/^[\p{L}\p{N}][\p{L}\p{N} -]{0,11}$/u),
);

export const VehicleSchema = z.strictObject({
  type: z.string().check(z.minLength(1), z.maxLength(32)),
  length_cm: z.optional(z.int().check(z.gte(1), z.lte(3000))),
  height_cm: z.optional(z.int().check(z.gte(1), z.lte(600))),
  trailer_cm: z.optional(z.int().check(z.gte(0), z.lte(2000))),
});
export type Vehicle = z.infer<typeof VehicleSchema>;

/** What is bought: one or two sailings with the same party, vehicle and bicycles. Prices are never sent in. */
export const QuoteRequestSchema = z.strictObject({
  legs: z.array(z.strictObject({ sailing_id: IdSchema })).check(z.minLength(1), z.maxLength(2)),
  passengers: z
    .array(
      z.strictObject({
        type: z.string().check(z.minLength(1), z.maxLength(32)),
        count: z.int().check(z.gte(0), z.lte(PARTY_LIMIT)),
      }),
    )
    .check(z.minLength(1), z.maxLength(20)),
  vehicle: z._default(z.nullable(VehicleSchema), null),
  bicycles: z._default(z.int().check(z.gte(0), z.lte(PARTY_LIMIT)), 0),
  fare_class: z.string().check(z.minLength(1), z.maxLength(32)),
  promo_code: z._default(z.nullable(plainText(0, 32)), null),
});
export type QuoteRequest = z.infer<typeof QuoteRequestSchema>;

export const LINE_KINDS = ['passenger', 'vehicle', 'bicycle', 'fee', 'discount'] as const;

export const QuoteLineSchema = z.object({
  leg: z.enum(['out', 'back']),
  kind: z.enum(LINE_KINDS),
  description: z.string(),
  quantity: z.int(),
  unit_amount: AmountSchema,
  amount: AmountSchema,
});
export type QuoteLine = z.infer<typeof QuoteLineSchema>;

export const QuoteSchema = z.object({
  /** Opaque and signed by the server; good until `expires_at`. */
  id: z.string(),
  lines: z.array(QuoteLineSchema),
  subtotal: AmountSchema,
  discount: AmountSchema,
  tax: AmountSchema,
  total: AmountSchema,
  currency: CurrencySchema,
  promo_code: z.nullable(z.string()),
  fare_class: z.object({ code: z.string(), name: z.string(), summary: z.string() }),
  policy: FarePolicySchema,
  /** The policy in sentences, as shown before paying. */
  policy_text: z.array(z.string()),
  expires_at: InstantSchema,
});
export type Quote = z.infer<typeof QuoteSchema>;

/** Details of a `sold_out` refusal: what is full, and the next sailings of its route with room for the party. */
export const SoldOutDetailsSchema = z.object({
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

/** Details of a `price_changed` refusal: what it costs now, ready to be accepted. */
export type PriceChangedDetails = { quote: Quote };

const quoteId = z.string().check(z.minLength(20), z.maxLength(4000));

export const TakeHoldSchema = z.strictObject({ quote_id: quoteId });
/** With `quote_id`: hold this instead. Without: more time, granted once and never past `expires_at_max`. */
export const ChangeHoldSchema = z.strictObject({ quote_id: z.optional(quoteId) });

export const HoldSchema = z.object({
  id: IdSchema,
  status: z.enum(['active', 'consumed', 'released', 'expired']),
  expires_at: InstantSchema,
  expires_at_max: InstantSchema,
  can_extend: z.boolean(),
  order_id: z.nullable(IdSchema),
  /** The server's clock, so that a device with a wrong one still counts down right. */
  as_of: InstantSchema,
});
export type Hold = z.infer<typeof HoldSchema>;

export const ContactSchema = z.strictObject({
  name: plainText(1, 120),
  email: EmailSchema,
  phone: z._default(PhoneSchema, ''),
});
export type Contact = z.infer<typeof ContactSchema>;

/** In the order of the fare lines; an empty name is a traveler without one, and so is each missing at the end. */
export const TravelerNamesSchema = z.array(plainText(0, 120)).check(
  z.maxLength(PARTY_LIMIT),
  z.overwrite((names) => names.slice(0, names.findLastIndex((name) => name !== '') + 1)),
);

export const CreateOrderSchema = z.strictObject({
  hold_id: IdSchema,
  quote_id: quoteId,
  contact: ContactSchema,
  plate: z._default(z.nullable(PlateSchema), null),
  traveler_names: z.optional(TravelerNamesSchema),
  terms_version: z.string().check(z.maxLength(32)),
  locale: z._default(z.string().check(z.regex(/^[a-z]{2}(-[A-Z]{2})?$/)), 'en-US'),
});
export type CreateOrder = z.infer<typeof CreateOrderSchema>;

export const ChangeOrderSchema = z.strictObject({
  contact: z.optional(ContactSchema),
  plate: z.optional(PlateSchema),
  traveler_names: z.optional(TravelerNamesSchema),
});
export type ChangeOrder = z.infer<typeof ChangeOrderSchema>;

/**
 * A saved card and the saving of a new one need a session, and are one or the other. A trip card needs one too:
 * method `trip_card` pays all with it or nothing; with method `card` it pays first, and the card what is left.
 */
export const StartPaymentSchema = z.strictObject({
  method: z.enum(['card', 'trip_card']),
  /** Of the customer's own: charged at once. `requires_action` means that the bank wants to see them first. */
  payment_card_id: z.optional(IdSchema),
  /** Whether the card that pays is kept for next time. */
  save_card: z.optional(z.boolean()),
  /** The customer's own, or one they may spend from. */
  trip_card_id: z.optional(IdSchema),
  /** What of the total it pays; absent: as much as is needed and there. */
  trip_card_amount: z.optional(z.int().check(z.gte(1), z.lte(99_999_999))),
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
  'promo_invalid',
  'promo_used_up',
  'sales_closed',
  'sailing_cancelled',
] as const satisfies readonly ErrorCode[];
export const holdErrors = [
  ...priceErrors,
  'sold_out',
  'quote_expired',
  'price_changed',
] as const satisfies readonly ErrorCode[];

/** The calls of this feature. */
export const checkoutCalls = describeCalls(endpoints, {
  createQuote: {
    summary: 'Prices a party; nothing is held yet',
    body: QuoteRequestSchema,
    response: QuoteSchema,
    errors: [...priceErrors, 'rate_limited'],
  },
  takeHold: {
    summary: 'Keeps the places of a quote for a while',
    body: TakeHoldSchema,
    response: HoldSchema,
    errors: [...holdErrors, 'rate_limited'],
  },
  changeHold: {
    summary: 'Holds another quote instead, or asks for more time',
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
    summary: 'Gives the places back',
    response: HoldSchema,
    errors: ['not_found'],
  },
});
