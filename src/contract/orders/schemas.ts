import * as z from 'zod/mini';
import { FarePolicySchema } from '#contract/catalogue/schemas.ts';
import {
  AmountSchema,
  CurrencySchema,
  FailureSchema,
  IdSchema,
  InstantSchema,
  LocalTimeSchema,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import {
  AccessibilitySchema,
  CROSSING_TIMES,
  SAILING_STATUSES,
  StopBetweenSchema,
} from '#contract/sailings/schemas.ts';
import { ASSISTANCE_NEEDS } from './buy/assistance.ts';
import {
  CancelOrderSchema,
  ChangeOrderSchema,
  CreateOrderSchema,
  HoldSchema,
  holdErrors,
  LegSchema,
  PartySchema,
  QuoteLineSchema,
  StartPaymentSchema,
  VehicleSchema,
} from './buy/schemas.ts';
import * as endpoints from './endpoints.ts';
import {
  ATTENTION_REASONS,
  ORDER_STATUSES,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  REFUND_METHODS,
  REFUND_STATUSES,
} from './statuses.ts';

/** One crossing of an order, as shown to a passenger. */
export const OrderLegSchema = z.object({
  leg: LegSchema,
  sailing_id: IdSchema,
  status: z.enum(SAILING_STATUSES),
  status_text: z.string(),
  delay_minutes: z.int(),
  origin: z.object({
    code: z.string(),
    name: z.string(),
    lat: z.nullable(z.number()),
    lon: z.nullable(z.number()),
    address: z.string(),
  }),
  destination: z.object({ code: z.string(), name: z.string() }),
  vessel_name: z.string(),
  /** In order; empty for a direct boat. Missing in orders saved by an earlier release. */
  stops_between: z.optional(z.array(StopBetweenSchema)),
  accessibility: AccessibilitySchema,
  ...CROSSING_TIMES,
  check_in_closes_at: InstantSchema,
  check_in_closes_local: LocalTimeSchema,
  /** The law asks for the travelers' details on this sailing. Absent: it does not. */
  needs_passenger_list: z.optional(z.literal(true)),
  /** Until when its passengers, who keep an open ticket, may choose a sailing, on the clock of the port of departure. */
  open_ticket_until_local: z.optional(LocalTimeSchema),
});
export type Leg = z.infer<typeof OrderLegSchema>;

export const TicketSchema = z.object({
  id: IdSchema,
  leg: LegSchema,
  sailing_id: IdSchema,
  status: z.enum(['issued', 'checked_in', 'boarded', 'replaced', 'canceled', 'no_show', 'expired']),
  /** "Adult", "Car up to 6 m, 5KJH 220", "Bicycle". */
  title: z.string(),
  kind: z.enum(['passenger', 'vehicle', 'bicycle']),
  /** As entered by the buyer; absent without a name. */
  traveler_name: z.optional(z.string()),
  /** "2 of 4" among the leg's tickets. */
  party_index: z.int(),
  party_size: z.int(),
  /** Seven characters and a check character, to be read aloud: `K7M4 QXPA`. */
  boarding_code: z.string(),
  /** The text of the QR code that the gate scans. */
  barcode: z.object({ symbology: z.enum(['qr']), payload: z.string(), key_id: z.string() }),
  version: z.int(),
  as_of: InstantSchema,
});
export type Ticket = z.infer<typeof TicketSchema>;

/**
 * One code for all tickets of the order on one crossing that are valid when the order is read. Present for two or more
 * tickets.
 */
const PartyCodeSchema = z.object({
  leg: LegSchema,
  passengers: z.int(),
  vehicles: z.int(),
  bicycles: z.int(),
  barcode: TicketSchema.shape.barcode,
});
export type PartyCode = z.infer<typeof PartyCodeSchema>;

export const OrderLineSchema = z.object({
  id: IdSchema,
  ...QuoteLineSchema.shape,
  status: z.enum(['active', 'canceled', 'replaced']),
  /** Code of the passenger or vehicle type. Absent in orders that a device saved with an earlier release, like the next. */
  type_code: z.optional(z.string()),
  /** Of a vehicle line: its sizes. */
  vehicle: z.optional(VehicleSchema),
  /** The refund of a canceled line. */
  refund: z.optional(AmountSchema),
});

/**
 * Who and what travels, to book the same again; what was booked in an order of which everything is canceled. Absent in
 * orders that a device saved with an earlier release.
 */
const BookedPartySchema = z.object(PartySchema.shape);

/** The card is visible only to the order's signed-in owner, and only after it has paid. */
const CARD_OF_PAYMENT = {
  /** Network of a payment card: "visa". */
  network: z.nullable(z.string()),
  last_four: z.nullable(z.string()),
};

export const PaymentSchema = z.object({
  id: IdSchema,
  method: z.enum(PAYMENT_METHODS),
  amount: AmountSchema,
  /** The trips of a pass that paid the amount; missing: money. */
  trips: z.optional(z.int()),
  currency: CurrencySchema,
  status: z.enum(['created', 'requires_action', 'processing', 'succeeded', 'failed', 'canceled']),
  /** Of the last failed attempt. */
  failure: z.nullable(FailureSchema),
  ...CARD_OF_PAYMENT,
  /** The wallet of the payment card: "apple_pay". Same visibility as the card. */
  wallet: z.nullable(z.string()),
  inserted_at: InstantSchema,
});
export type Payment = z.infer<typeof PaymentSchema>;

/**
 * Response to starting a payment. `client_secret` is returned only to the caller who started it; absent if a trip card
 * paid everything.
 */
export const StartedPaymentSchema = z.extend(PaymentSchema, {
  client_secret: z.optional(z.string()),
  /** Reserved on the trip card until the payment succeeds; `amount` is the rest. */
  trip_card_amount: AmountSchema,
});
export type StartedPayment = z.infer<typeof StartedPaymentSchema>;

/** `no_value`: the trip card no longer had the amount. `dispute`: the bank returned the money to the cardholder. */
export const REFUND_REASONS = [
  'customer',
  'operator',
  'sailing_canceled',
  'duplicate',
  'no_room',
  'no_value',
  'goodwill',
  'dispute',
] as const;

export const RefundSchema = z.object({
  id: IdSchema,
  amount: AmountSchema,
  /** The trips that went back to a pass, which had paid the amount; missing: money. */
  trips: z.optional(z.int()),
  destination: z.enum(REFUND_METHODS),
  ...CARD_OF_PAYMENT,
  reason: z.enum(REFUND_REASONS),
  status: z.enum(REFUND_STATUSES),
  inserted_at: InstantSchema,
});

/** The hold of an order that can still be paid. Its id would permit to change or release it. */
export const OpenHoldSchema = z.pick(HoldSchema, {
  expires_at: true,
  expires_at_max: true,
  can_extend: true,
});

export const OrderSchema = z.object({
  id: IdSchema,
  reference: z.string(),
  status: z.enum(ORDER_STATUSES),
  payment_status: z.enum(PAYMENT_STATUSES),
  /** The status shown to passengers. */
  display_status: z.enum([
    'paying',
    'upcoming',
    'today',
    'boarded',
    'used',
    'changed',
    'canceled',
    'refunded',
    'action_needed',
    'expired',
  ]),
  /**
   * How a trip that is over ended, with the display status `used`. `unknown`: no gate has reported its tickets. Absent in
   * orders that a device saved with an earlier release.
   */
  trip_outcome: z.optional(z.enum(['used', 'missed', 'unknown'])),
  needs_attention: z.nullable(z.enum(ATTENTION_REASONS)),
  /** A sentence about anything unusual, such as "We still had room". */
  notice: z.string(),
  /** Masked for everyone except the owner: `a•••@example.com`. */
  contact: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  plate: z.nullable(z.string()),
  /**
   * In the order of the fare lines. Empty and missing names are passengers without a name. Absent in orders that a
   * device saved with an earlier release.
   */
  traveler_names: z.optional(z.array(z.string())),
  /** The assistance that travelers asked for, only for the order's signed-in owner; absent if there is none. */
  assistance: z.optional(
    z.object({
      travelers: z.array(
        z.object({
          traveler: z.int(),
          who: z.string(),
          text: z.string(),
          /** What `text` says, to edit it. Absent in orders that a device saved with an earlier release. */
          needs: z.optional(z.array(z.enum(ASSISTANCE_NEEDS))),
          note: z.optional(z.string()),
        }),
      ),
      /** For which departures it cannot be promised; empty if there is none. */
      notice: z.string(),
    }),
  ),
  currency: CurrencySchema,
  subtotal: AmountSchema,
  discount: AmountSchema,
  tax: AmountSchema,
  total: AmountSchema,
  paid: AmountSchema,
  refunded: AmountSchema,
  promo_code: z.nullable(z.string()),
  fare_class: z.object({ code: z.string(), name: z.string() }),
  fare_policy: FarePolicySchema,
  policy_text: z.array(z.string()),
  party: z.optional(BookedPartySchema),
  /** The crossings with valid tickets; all crossings of an order that has none. */
  legs: z.array(OrderLegSchema),
  /**
   * The crossings of which all tickets are canceled, in an order that has others. Absent in orders that a device saved
   * with an earlier release.
   */
  canceled_legs: z.optional(z.array(OrderLegSchema)),
  lines: z.array(OrderLineSchema),
  tickets: z.array(TicketSchema),
  /** Absent in orders that a device saved with an earlier release. */
  party_codes: z.optional(z.array(PartyCodeSchema)),
  payments: z.array(PaymentSchema),
  refunds: z.array(RefundSchema),
  /**
   * Until when the buyer may choose another sailing or the full refund, because a sailing does not run as bought. Absent in
   * orders that a device saved with an earlier release.
   */
  choice_until: z.optional(z.nullable(InstantSchema)),
  /**
   * Until when the buyer can pay for another boat that staff keep for them. Absent in orders that a device saved with an
   * earlier release.
   */
  change_to_pay_until: z.optional(z.nullable(InstantSchema)),
  hold: z.nullable(OpenHoldSchema),
  confirmed_at: z.nullable(InstantSchema),
  /**
   * What a reader of this order needs to cancel its tickets: nothing as the signed-in owner, a code mailed to the
   * buyer, or to sign in, because the order belongs to an account. Absent in orders that a device saved with an earlier
   * release.
   */
  needs_proof: z.optional(z.enum(['none', 'code', 'sign_in'])),
  inserted_at: InstantSchema,
  version: z.int(),
  as_of: InstantSchema,
});
export type Order = z.infer<typeof OrderSchema>;

const CreatedOrderSchema = z.extend(OrderSchema, {
  /**
   * Permits to change the order. Only the browser that made it gets this secret, and only if the order belongs to no
   * account.
   */
  buyer_secret: z.optional(z.string()),
});
export type CreatedOrder = z.infer<typeof CreatedOrderSchema>;

/** A row of My Orders. */
export const OrderSummarySchema = z.object({
  id: IdSchema,
  reference: z.string(),
  status: z.enum(ORDER_STATUSES),
  display_status: OrderSchema.shape.display_status,
  trip_outcome: OrderSchema.shape.trip_outcome,
  total: AmountSchema,
  currency: CurrencySchema,
  party_size: z.int(),
  /** Absent in orders that a device saved with an earlier release, like the next two; for searches on the device. */
  contact_name: z.optional(z.string()),
  traveler_names: z.optional(z.array(z.string())),
  plate: z.optional(z.nullable(z.string())),
  /** Absent in orders that a device saved with an earlier release. */
  vehicles: z.optional(z.int()),
  bicycles: z.optional(z.int()),
  party: z.optional(BookedPartySchema),
  legs: z.array(OrderLegSchema),
  inserted_at: InstantSchema,
  version: z.int(),
  as_of: InstantSchema,
});
export type OrderSummary = z.infer<typeof OrderSummarySchema>;

/** Public key for verifying ticket codes. `key` is the raw Ed25519 public key, base64url. */
export const TicketKeySchema = z.object({
  key_id: z.string(),
  algorithm: z.enum(['Ed25519']),
  key: z.string(),
  not_before: InstantSchema,
  not_after: z.nullable(InstantSchema),
});
export type TicketKey = z.infer<typeof TicketKeySchema>;

export const startPaymentErrors = [
  'not_found',
  'already_paid',
  'order_closed',
  'order_blocked',
  'hold_expired',
  'plate_required',
  'sailing_canceled',
  'payment_in_progress',
  'payment_unavailable',
  'rate_limited',
  'unauthenticated',
  'session_expired',
  'card_expired',
  'card_declined',
  'payment_failed',
  'authentication_required',
] as const satisfies readonly ErrorCode[];

export const orderCalls = describeCalls(endpoints, {
  createOrder: {
    summary: 'Create an order from a hold',
    body: CreateOrderSchema,
    response: CreatedOrderSchema,
    errors: [...holdErrors, 'hold_expired', 'terms_outdated', 'plate_required', 'rate_limited'],
  },
  getOrder: {
    summary: 'Get an order by its id; contact details are masked for everyone except its owner',
    response: OrderSchema,
    errors: ['not_found'],
  },
  changeOrder: {
    summary: 'Change the contact details, license plate, traveler names or assistance of an order',
    body: ChangeOrderSchema,
    response: OrderSchema,
    errors: ['not_found', 'order_closed', 'change_not_allowed', 'rate_limited'],
  },
  cancelOrder: {
    summary: 'Cancel an order that is not paid yet',
    body: CancelOrderSchema,
    isBodyOptional: true,
    response: OrderSchema,
    errors: ['not_found', 'change_not_allowed', 'order_closed', 'payment_in_progress', 'already_paid'],
  },
  startPayment: {
    summary:
      'Start a payment: the browser confirms a new card with the card provider; a saved card is charged at once',
    body: StartPaymentSchema,
    response: StartedPaymentSchema,
    errors: startPaymentErrors,
  },
  listTickets: {
    summary: 'List the tickets of an order with their codes',
    response: z.array(TicketSchema),
    errors: ['not_found'],
  },
});
