import * as z from 'zod/mini';
import {
  AmountSchema,
  CurrencySchema,
  DaySchema,
  EmailSchema,
  FailureSchema,
  IdSchema,
  InstantSchema,
  PositiveAmountSchema,
  plainText,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { CARD_NAME_LENGTH } from '#contract/limits.ts';
import { PassTermsSchema } from '#contract/passes/pass-terms.ts';
import * as endpoints from './endpoints.ts';

/** What a card holds: an amount of money, or trips of a pass. Its amounts are in minor units, or in whole trips. */
export const TRIP_CARD_UNITS = ['money', 'trips'] as const;

/** `lost` is final: the balance moved to the replacement card. `frozen` ends when the owner unfreezes the card. */
export const TRIP_CARD_STATUSES = ['active', 'frozen', 'lost'] as const;

/** What a person the card is shared with may do: pay; pay and read the history; or only top up. */
export const SHARE_ROLES = ['spend', 'spend_and_view', 'top_up'] as const;
export type ShareRole = (typeof SHARE_ROLES)[number];

export const ENTRY_KINDS = [
  'top_up',
  'fare',
  'transfer_out',
  'transfer_in',
  'refund_in',
  'adjustment',
] as const;

/**
 * `disputed`: the payer's bank took the payment back, finally or until the dispute is won; the value is off the card.
 */
export const TOP_UP_STATUSES = [
  'created',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
  'canceled',
  'disputed',
] as const;

/** Why an automatic top-up waits: the owner paused it, must choose another card, or must authenticate at the bank. */
export const AUTO_TOP_UP_STATES = ['ok', 'needs_card', 'needs_authentication', 'paused'] as const;

/** An amount to move in the card's unit, greater than 0. */

export const TripCardShareSchema = z.object({
  id: IdSchema,
  email: z.string(),
  role: z.enum(SHARE_ROLES),
  /** Most that may be paid with the card in one service day; null: the whole balance. */
  daily_limit: z.nullable(AmountSchema),
  /** `invited` until a customer with that address has opened the card in their account. */
  status: z.enum(['invited', 'active']),
  inserted_at: InstantSchema,
});
export type TripCardShare = z.infer<typeof TripCardShareSchema>;

export const AutoTopUpSchema = z.object({
  /** The card is topped up when the balance falls below this. */
  threshold: AmountSchema,
  amount: AmountSchema,
  payment_card_id: IdSchema,
  max_per_day: z.int(),
  state: z.enum(AUTO_TOP_UP_STATES),
  /** The next attempt if one is due; null while the balance is sufficient. */
  next_try_at: z.nullable(InstantSchema),
});
export type AutoTopUp = z.infer<typeof AutoTopUpSchema>;

/** Of a card of either unit. */
const CARD_FIELDS = {
  id: IdSchema,
  /** All 16 digits for the owner; null for others, who see only the last four. */
  number: z.nullable(z.string()),
  last_four: z.string(),
  name: z.string(),
  /** `owner`, or the role of the share. */
  role: z.enum(['owner', ...SHARE_ROLES]),
  status: z.enum(TRIP_CARD_STATUSES),
  balance: AmountSchema,
  /** Reserved for card payments in progress. */
  held: AmountSchema,
  /** The amount that can be spent: balance minus reservations. */
  available: AmountSchema,
  /** Fares and disputed top-ups that later top-ups will pay. Visible to the owner only; 0 for others. */
  owed: AmountSchema,
  /** Server time at which the balance was read. */
  as_of: InstantSchema,
  /** Increases with every change of the card or its balance. */
  version: z.int(),
  /** A mail is sent when the balance falls below this; null: never. */
  low_balance_at: z.nullable(AmountSchema),
  last_used_at: z.nullable(InstantSchema),
  replaces_card_id: z.nullable(IdSchema),
  replaced_by_card_id: z.nullable(IdSchema),
  /** Visible to the owner only; empty for others. */
  shared_with: z.array(TripCardShareSchema),
  inserted_at: InstantSchema,
};

/** The unit of a card with money. Missing in data that a device saved with an earlier release. */
const MONEY_FIELDS = { unit: z.optional(z.literal('money')), currency: CurrencySchema };

export const MoneyCardSchema = z.object({
  ...CARD_FIELDS,
  ...MONEY_FIELDS,
  /** Visible to the owner only. */
  auto_top_up: z.nullable(AutoTopUpSchema),
});
export type MoneyCard = z.infer<typeof MoneyCardSchema>;

const TRIPS_FIELDS = { unit: z.literal('trips') };

/** A pass: a card that holds trips. */
export const PassCardSchema = z.object({
  ...CARD_FIELDS,
  ...TRIPS_FIELDS,
  auto_top_up: z.null(),
  /** The conditions at the latest purchase. */
  pass: PassTermsSchema,
  /** The last day on which a trip can begin, on the operator's calendar; null: no end, or not begun. */
  valid_until: z.nullable(DaySchema),
  /** The end of that day. */
  expires_at: z.nullable(InstantSchema),
});
export type PassCard = z.infer<typeof PassCardSchema>;

export const TripCardSchema = z.union([PassCardSchema, MoneyCardSchema]);
export type TripCard = z.infer<typeof TripCardSchema>;

export const TripCardEntrySchema = z.object({
  id: IdSchema,
  /** 1, 2, 3… without a gap. */
  seq: z.int(),
  kind: z.enum(ENTRY_KINDS),
  /** Signed; credits are positive. */
  amount: AmountSchema,
  balance_after: AmountSchema,
  description: z.string(),
  place: z.nullable(z.string()),
  /** Visible only to the order's owner or payer, because the id opens the order. */
  order_id: z.nullable(IdSchema),
  top_up_id: z.nullable(IdSchema),
  transfer_id: z.nullable(IdSchema),
  actor: z.enum(['customer', 'staff', 'system', 'device']),
  occurred_at: InstantSchema,
  inserted_at: InstantSchema,
});
export type TripCardEntry = z.infer<typeof TripCardEntrySchema>;

/** `GET …/balance`: newest first. `next_before_seq` is the `before_seq` of the next page, null at the end. */
const BALANCE_FIELDS = {
  balance: AmountSchema,
  as_of: InstantSchema,
  version: z.int(),
  entries: z.array(TripCardEntrySchema),
  next_before_seq: z.nullable(z.int()),
};
export const TripCardBalanceSchema = z.union([
  z.object({ ...BALANCE_FIELDS, ...TRIPS_FIELDS }),
  z.object({ ...BALANCE_FIELDS, ...MONEY_FIELDS }),
]);
export type TripCardBalance = z.infer<typeof TripCardBalanceSchema>;

export const TopUpSchema = z.object({
  id: IdSchema,
  trip_card_id: IdSchema,
  seq: z.int(),
  /** The amount charged. */
  amount: AmountSchema,
  currency: CurrencySchema,
  /** The trips bought with it; missing if it adds money. */
  trips: z.optional(z.int()),
  trigger: z.enum(['manual', 'auto']),
  payment_card_id: z.nullable(IdSchema),
  status: z.enum(TOP_UP_STATUSES),
  /** Null if it has not failed. */
  failure: z.nullable(FailureSchema),
  receipt_number: z.nullable(z.string()),
  inserted_at: InstantSchema,
  completed_at: z.nullable(InstantSchema),
});
export type TopUp = z.infer<typeof TopUpSchema>;

/** `GET …/top_ups`: newest first, like the balance's entries. */
export const TopUpListSchema = z.object({
  top_ups: z.array(TopUpSchema),
  next_before_seq: z.nullable(z.int()),
});
export type TopUpList = z.infer<typeof TopUpListSchema>;

/** With `client_secret` the browser continues (card form or 3-D Secure) and then reads the top-up again. */
export const StartedTopUpSchema = z.extend(TopUpSchema, { client_secret: z.nullable(z.string()) });
export type StartedTopUp = z.infer<typeof StartedTopUpSchema>;

/** Keyset pagination besides `page`: the result stays correct while new entries arrive. */
const SeqQuerySchema = z.object({
  before_seq: z.optional(z.string().check(z.regex(/^[1-9]\d{0,8}$/))),
});

/**
 * Both days inclusive, on the operator's calendar. Default: the last 30 days, at most 366. `pdf` holds at most 2,000
 * entries; the default is CSV.
 */
export const StatementQuerySchema = z.object({
  from: z.optional(DaySchema),
  to: z.optional(DaySchema),
  format: z.optional(z.enum(['csv', 'pdf'])),
});

/** Body for adding a trip card: an existing card by number and PIN, or neither for a new card. */
const AddTripCardSchema = z
  .strictObject({
    name: z.optional(plainText(1, CARD_NAME_LENGTH)),
    number: z.optional(
      z.string().check(
        z.maxLength(40),
        z.overwrite((text) => text.replace(/[\s-]/g, '')),
        z.regex(/^\d{16}$/),
      ),
    ),
    pin: z.optional(z.string().check(z.regex(/^\d{4,8}$/))),
  })
  .check(z.refine(({ number, pin }) => (number === undefined) === (pin === undefined), { path: ['pin'] }));
export type AddTripCard = z.infer<typeof AddTripCardSchema>;

const ChangeTripCardSchema = z.strictObject({
  name: z.optional(plainText(1, CARD_NAME_LENGTH)),
  low_balance_at: z.optional(z.nullable(PositiveAmountSchema)),
});
export type ChangeTripCard = z.infer<typeof ChangeTripCardSchema>;

const TransferSchema = z.strictObject({ to_card_id: IdSchema, amount: PositiveAmountSchema });

export const TripCardTransferSchema = z.object({
  id: IdSchema,
  from_card_id: IdSchema,
  to_card_id: IdSchema,
  amount: AmountSchema,
  currency: CurrencySchema,
  inserted_at: InstantSchema,
});
export type TripCardTransfer = z.infer<typeof TripCardTransferSchema>;

const ShareTripCardSchema = z.strictObject({
  email: EmailSchema,
  role: z.enum(SHARE_ROLES),
  daily_limit: z.optional(z.nullable(PositiveAmountSchema)),
});
export type ShareTripCard = z.infer<typeof ShareTripCardSchema>;

/** The code that the gate scans, valid for a day without network. */
const CODE_FIELDS = {
  payload: z.string(),
  key_id: z.string(),
  balance: AmountSchema,
  as_of: InstantSchema,
  valid_until: InstantSchema,
};
export const OfflineCodeSchema = z.union([
  z.object({ ...CODE_FIELDS, ...TRIPS_FIELDS }),
  z.object({ ...CODE_FIELDS, ...MONEY_FIELDS }),
]);
export type OfflineCode = z.infer<typeof OfflineCodeSchema>;

const StartTopUpSchema = z.strictObject({
  amount: PositiveAmountSchema,
  /** A saved card; without it the browser asks for a new one. */
  payment_card_id: z.optional(IdSchema),
  /** Saves the new card for later. */
  save_card: z.optional(z.boolean()),
});
export type StartTopUp = z.infer<typeof StartTopUpSchema>;

/** Body of `PUT …/auto_top_up`: creates or changes it; `paused` suspends it. */
const SetAutoTopUpSchema = z.strictObject({
  threshold: PositiveAmountSchema,
  amount: PositiveAmountSchema,
  payment_card_id: IdSchema,
  max_per_day: z.optional(z.int().check(z.gte(1), z.lte(5))),
  paused: z.optional(z.boolean()),
});
export type SetAutoTopUp = z.infer<typeof SetAutoTopUpSchema>;

const BLOCKED = ['trip_card_frozen', 'trip_card_lost'] as const;

export const tripCardCalls = describeCalls(endpoints, {
  listTripCards: {
    summary: 'List the customer’s own trip cards and those shared with the customer, lost cards last',
    // Clients that know passes ask for them; others would show trips as money.
    query: z.object({ include: z.optional(z.enum(['passes'])) }),
    list: { fields: {}, pageSize: 20 },
    response: z.array(TripCardSchema),
  },
  addTripCard: {
    summary: 'Add a plastic trip card by number and PIN; without them, create a new trip card',
    body: AddTripCardSchema,
    response: TripCardSchema,
    errors: ['trip_card_refused', 'too_many_trip_cards', 'rate_limited'],
  },
  getTripCard: {
    summary: 'Get a trip card',
    response: TripCardSchema,
    errors: ['not_found'],
  },
  changeTripCard: {
    summary: 'Change the name of a trip card, or the balance below which its owner is notified',
    body: ChangeTripCardSchema,
    response: TripCardSchema,
    errors: ['not_found', 'trip_card_lost'],
  },
  getTripCardBalance: {
    summary: 'Get the balance of a trip card and its entries, newest first, each with the balance after it',
    query: SeqQuerySchema,
    list: { fields: {}, pageSize: 50 },
    response: TripCardBalanceSchema,
    errors: ['not_found'],
  },
  getStatement: {
    summary: 'Download the entries of a period as CSV or PDF',
    query: StatementQuerySchema,
    response: { mediaType: 'text/csv' },
    errors: ['not_found'],
  },
  getOfflineCode: {
    summary: 'Get a signed code to show at the gate, valid for 24 hours',
    response: OfflineCodeSchema,
    errors: ['not_found', ...BLOCKED],
  },
  listTopUps: {
    summary: 'List the top-ups of a trip card, newest first',
    query: SeqQuerySchema,
    list: { fields: {}, pageSize: 50 },
    response: TopUpListSchema,
    errors: ['not_found'],
  },
  startTopUp: {
    summary: 'Top up a trip card with a saved payment card, or start a payment with a new card',
    body: StartTopUpSchema,
    response: StartedTopUpSchema,
    errors: ['not_found', 'holds_trips', 'top_up_amount', 'payment_unavailable', 'rate_limited', ...BLOCKED],
  },
  getTopUp: {
    summary: 'Get a top-up; while its outcome is unknown, the card provider is asked first',
    response: TopUpSchema,
    errors: ['not_found'],
  },
  setAutoTopUp: {
    summary: 'Create, change, pause or resume the automatic top-up of a trip card',
    body: SetAutoTopUpSchema,
    response: TripCardSchema,
    errors: ['not_found', 'holds_trips', 'step_up_required', 'top_up_amount', 'trip_card_lost'],
  },
  removeAutoTopUp: {
    summary: 'Remove the automatic top-up of a trip card',
    response: TripCardSchema,
    errors: ['not_found'],
  },
  freezeTripCard: {
    summary: 'Freeze a trip card until it is unfrozen',
    response: TripCardSchema,
    errors: ['not_found', 'trip_card_lost'],
  },
  unfreezeTripCard: {
    summary: 'Unfreeze a trip card',
    response: TripCardSchema,
    errors: ['not_found', 'trip_card_lost'],
  },
  replaceLostTripCard: {
    summary: 'Report a trip card as lost; returns the new card, to which the balance moves',
    response: TripCardSchema,
    errors: ['not_found', 'step_up_required'],
  },
  transferValue: {
    summary: 'Transfer value to another trip card of the customer',
    body: TransferSchema,
    response: TripCardTransferSchema,
    errors: ['not_found', 'step_up_required', 'insufficient_balance', ...BLOCKED],
  },
  shareTripCard: {
    summary: 'Share a trip card with a person by email address, or change an existing share',
    body: ShareTripCardSchema,
    response: TripCardShareSchema,
    errors: ['not_found', 'step_up_required', 'too_many_shares', 'trip_card_lost', 'rate_limited'],
  },
  revokeShare: {
    summary: 'Stop sharing a trip card, as its owner or as the person it is shared with',
    response: z.null(),
    errors: ['not_found'],
  },
});
