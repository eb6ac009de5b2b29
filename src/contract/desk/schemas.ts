import * as z from 'zod/mini';
import {
  AmountSchema,
  CodeSchema,
  CurrencySchema,
  DaySchema,
  IdSchema,
  InstantSchema,
  LanguageSchema,
  LocalTimeSchema,
  plainText,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { FARE_DEBT_REASONS } from '#contract/gate/fares/debt-reasons.ts';
import { BANK_REFERENCE_LENGTH, TERMINAL_REFERENCE_LENGTH } from '#contract/limits.ts';
import { EXCEPTION_KINDS, EXCEPTION_REASONS } from '#contract/sailings/exceptions.ts';
import { TRIP_CARD_UNITS } from '#contract/trip-cards/schemas.ts';
import * as endpoints from './endpoints.ts';
import { HeldBackSchema } from './held-back/schemas.ts';
import {
  CHANGES_LIMIT,
  DELAY_LIMIT_MINUTES,
  LANGUAGE_LIMIT,
  PASSENGER_TEXT_LENGTH,
  SETTLED_NOTE_LENGTH,
} from './limits.ts';
import { FARE_WORK_KINDS, PAYOUT_WORK_KINDS, WORK_KINDS, WORK_LIST_KINDS } from './work-kinds.ts';

/**
 * What is taken of a resource on the stretch that begins at the port, what is held back from sale online, and what is free
 * there. Lengths of lanes in centimeters.
 */
const LoadSchema = z.object({
  resource: z.enum(['passenger', 'lane_cm', 'tall_lane_cm', 'bicycle']),
  taken: z.int(),
  total: z.int(),
  held_back: z.int(),
  free_online: z.int(),
});
export type Load = z.infer<typeof LoadSchema>;

/** A statement about the boat that staff, a file or live data made, and that differs from the timetable. */
const BoatChangeSchema = z.object({
  id: IdSchema,
  kind: z.enum(EXCEPTION_KINDS),
  /** Only changes that staff made can be undone here. */
  source: z.enum(['file', 'staff', 'realtime']),
  reason: z.nullable(z.enum(EXCEPTION_REASONS)),
  text: z.string(),
  minutes: z.int(),
  vessel: z.nullable(z.string()),
  at: InstantSchema,
});
export type BoatChange = z.infer<typeof BoatChangeSchema>;

/** A boat that leaves a port: all sailings of a voyage from there. */
const BoatSchema = z.object({
  /** Of its sailing to the farthest port. */
  id: IdSchema,
  line: z.string(),
  port: z.object({ code: z.string(), name: z.string() }),
  /** One to each port that it calls at, in order. */
  sailings: z.array(z.object({ id: IdSchema, route_id: IdSchema, destination: z.string() })),
  departs_at: InstantSchema,
  departs_local: LocalTimeSchema,
  departs_zone: z.string(),
  delay_minutes: z.int(),
  status: z.enum(['scheduled', 'suspended', 'canceled']),
  vessel: z.object({ code: z.string(), name: z.string() }),
  sales_close_at: InstantSchema,
  check_in_closed_at: z.nullable(InstantSchema),
  departed_at: z.nullable(InstantSchema),
  /** What passengers are told, in the reader's language. */
  statements: z.array(z.string()),
  loads: z.array(LoadSchema),
  /** People with tickets from this port, and how many of them are aboard. */
  people: z.int(),
  aboard: z.int(),
  /** The same of vehicles. */
  vehicles: z.int(),
  vehicles_aboard: z.int(),
  /** Orders whose passengers have not answered yet what they want instead. */
  waiting: z.int(),
  /** More was sold than the vessel carries now. */
  is_oversold: z.boolean(),
});
export type DeskBoat = z.infer<typeof BoatSchema>;

/** Days on which no boat leaves a port or arrives at it; both are service days, inclusive. */
const PortClosureSchema = z.object({
  id: IdSchema,
  from: DaySchema,
  until: DaySchema,
  /** Only those that staff made can be undone here. */
  source: z.enum(['file', 'staff', 'realtime']),
  reason: z.nullable(z.enum(EXCEPTION_REASONS)),
  text: z.string(),
  at: InstantSchema,
});
export type PortClosure = z.infer<typeof PortClosureSchema>;

const BoardSchema = z.object({
  ports: z.array(z.object({ code: z.string(), name: z.string() })),
  port: z.object({ code: z.string(), name: z.string() }),
  /** The calendar day at the port, today's and the next one's. */
  day: DaySchema,
  today: DaySchema,
  boats: z.array(BoatSchema),
  /** Of the port, that have not ended on the day, the first one first. */
  closures: z.array(PortClosureSchema),
  as_of: InstantSchema,
});
export type DeskBoard = z.infer<typeof BoardSchema>;

/** What became of an order whose sailing does not run as bought. `unaffected`: it does. */
const ORDER_OUTCOMES = ['unaffected', 'waiting', 'moved', 'refunded', 'kept'] as const;

/** A paid order with places on the boat. */
const BoatOrderSchema = z.object({
  reference: z.string(),
  contact_name: z.string(),
  phone: z.string(),
  people: z.int(),
  vehicles: z.int(),
  outcome: z.enum(ORDER_OUTCOMES),
  /** The offered boat, on which places are protected; null: none, or no other boat has room for the party. */
  offered: z.nullable(
    z.object({ departs_local: LocalTimeSchema, departs_zone: z.string(), vessel: z.string() }),
  ),
  /** When the offer ends; null without an open one. */
  answer_by: z.nullable(InstantSchema),
  if_unanswered: z.nullable(z.enum(['refund', 'keep'])),
  /** What was paid for the journey, which the party gets back if it chooses the refund. */
  paid: AmountSchema,
  /** The last mail about the order: `failed` could not be delivered. Null: none. */
  mail: z.nullable(z.enum(['queued', 'sent', 'failed'])),
  /** Whether a message about a cancellation would reach its passengers now; otherwise, they must be called. */
  is_reachable: z.boolean(),
});
export type BoatOrder = z.infer<typeof BoatOrderSchema>;

/** An order with places on the boat that staff sold to be paid later. */
const UnpaidOrderSchema = z.object({
  reference: z.string(),
  contact_name: z.string(),
  phone: z.string(),
  people: z.int(),
  vehicles: z.int(),
  /** Until when its places are held; null: its boat is canceled, and there is no address to which that was mailed. */
  pay_until: z.nullable(InstantSchema),
  total: AmountSchema,
});
export type UnpaidOrder = z.infer<typeof UnpaidOrderSchema>;

const BoatDetailsSchema = z.object({
  boat: BoatSchema,
  /** The latest first. */
  changes: z.array(BoatChangeSchema),
  /** Places held back on the stretch that begins at the port, the latest first. */
  held_back: z.array(HeldBackSchema),
  /** Those that wait first. */
  orders: z.array(BoatOrderSchema),
  /** Those that have to be paid first come first. */
  unpaid: z.array(UnpaidOrderSchema),
  /** Vessels that could run instead. */
  vessels: z.array(z.object({ code: z.string(), name: z.string() })),
  currency: CurrencySchema,
  /** The operator's, in which texts for passengers stand for all; null: the product does not have it. */
  language: z.nullable(LanguageSchema),
  as_of: InstantSchema,
});
export type BoatDetails = z.infer<typeof BoatDetailsSchema>;

/** A time of day on the port's clock. */
const ClockTimeSchema = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));

/** Why, and one or two sentences for passengers, which replace the usual one. One per language. */
const Said = {
  reason: z.nullable(z.enum(EXCEPTION_REASONS)),
  texts: z
    .array(z.object({ language: LanguageSchema, text: plainText(1, PASSENGER_TEXT_LENGTH) }))
    .check(z.maxLength(LANGUAGE_LIMIT)),
};
/** `vessel_today`: also all later boats of the vessel on this service day. */
const Scope = { scope: z.enum(['boat', 'vessel_today']) };

/** What staff decides about a boat. A delay of 0 minutes: it is on time. */
const BoatChangeInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['canceled', 'suspended', 'sales_closed', 'sales_open']), ...Scope, ...Said }),
  z.object({ kind: z.literal('notice'), ...Scope, ...Said }),
  z.object({
    kind: z.literal('delayed'),
    ...Scope,
    ...Said,
    minutes: z.int().check(z.gte(0), z.lte(DELAY_LIMIT_MINUTES)),
  }),
  z.object({ kind: z.literal('vessel'), ...Scope, ...Said, vessel: CodeSchema }),
  /** One more boat like this one on the same day, at a time of the port's clock. */
  z.object({ kind: z.literal('extra'), ...Said, time: ClockTimeSchema, vessel: z.nullable(CodeSchema) }),
]);
export type BoatChangeInput = z.infer<typeof BoatChangeInputSchema>;

/** Service days, inclusive. */
const PortClosureInputSchema = z.object({ from: DaySchema, until: DaySchema, ...Said });
export type PortClosureInput = z.infer<typeof PortClosureInputSchema>;

/** What a change does, or did. */
const BoatChangeOutcomeSchema = z.object({
  /** Ids that undo it. */
  changes: z.array(IdSchema),
  /** Number of sailings whose state changes. */
  sailings: z.int(),
  /** Number of paid orders whose passengers are written to. */
  notified: z.int(),
  /** Number of orders that wait for payment and are canceled with their boat, and whose buyers are written to. */
  unpaid_notified: z.int(),
  /** Paid and unpaid orders that no message reaches. */
  unreachable: z.array(z.object({ reference: z.string(), contact_name: z.string(), phone: z.string() })),
  /** The paid orders on the boats that change, those that wait first. */
  orders: z.array(BoatOrderSchema),
  /** What is paid back if every waiting order that no other boat has room for is refunded, and if all are. */
  refunds: z.object({ without_offer: AmountSchema, all: AmountSchema }),
  currency: CurrencySchema,
  /** Departures of the vessel that are under way, and do not change. */
  under_way: z.array(z.object({ departs_local: z.string() })),
  /** Vessels that are then sold twice at the same time, for the departures named. */
  double_bookings: z.array(z.object({ vessel: z.string(), departures: z.array(z.string()) })),
});
export type BoatChangeOutcome = z.infer<typeof BoatChangeOutcomeSchema>;

const WorkItemSchema = z.object({
  kind: z.enum(WORK_KINDS),
  /** Of the order; empty for an invoice of trip cards. */
  reference: z.string(),
  contact_name: z.string(),
  contact_email: z.string(),
  phone: z.string(),
  since: InstantSchema,
  /** When it is due; null: as soon as possible. */
  due: z.nullable(InstantSchema),
  amount: z.nullable(AmountSchema),
  currency: CurrencySchema,
  /** Of a refund to be paid out. */
  refund_id: z.nullable(IdSchema),
  /** Of a vehicle whose difference is to be taken. */
  measurement_id: z.nullable(IdSchema),
  /** Of an invoice that is overdue. */
  invoice_number: z.nullable(z.string()),
});
export type WorkItem = z.infer<typeof WorkItemSchema>;

/**
 * A fare that a gate took without a connection. `fare_owed`: the card has not paid it, or only a part. `fare_twice`: more
 * than one device took the card for the same boat. `contact_…`: of the card's owner; empty if there is none.
 */
const FareWorkSchema = z.object({
  id: IdSchema,
  kind: z.enum(FARE_WORK_KINDS),
  last_four: z.string(),
  /** In minor units, or trips of a pass. */
  amount: z.int(),
  unit: z.enum(TRIP_CARD_UNITS),
  currency: CurrencySchema,
  /** Why it is not paid; null of `fare_twice`. */
  reason: z.nullable(z.enum(FARE_DEBT_REASONS)),
  device: z.string(),
  at: InstantSchema,
  contact_name: z.string(),
  contact_email: z.string(),
  phone: z.string(),
});
export type FareWork = z.infer<typeof FareWorkSchema>;

/**
 * A payout of the card provider that needs a person. `payout_failed`: the bank returned it, and none has arrived since.
 * `payout_unmatched`: items of it have matched nothing in the books for a day, and no one has settled them.
 */
const PayoutWorkSchema = z.object({
  kind: z.enum(PAYOUT_WORK_KINDS),
  /** The provider's. */
  payout_id: z.string(),
  arrives_on: DaySchema,
  amount: AmountSchema,
  currency: CurrencySchema,
  /** The items that match nothing. */
  unmatched: z.int(),
});
export type PayoutWork = z.infer<typeof PayoutWorkSchema>;

/** `boats`: those that orders with work are booked on, whatever the filters are. `has_more`: the list of items is cut. */
const WorkSchema = z.object({
  boats: z.array(
    z.object({
      sailing_id: IdSchema,
      departs_local: z.string(),
      origin: z.string(),
      destination: z.string(),
    }),
  ),
  items: z.array(WorkItemSchema),
  fares: z.array(FareWorkSchema),
  /** For those who may read reports; empty for others. */
  payouts: z.array(PayoutWorkSchema),
  has_more: z.boolean(),
  as_of: InstantSchema,
});
export type Work = z.infer<typeof WorkSchema>;

const EndedChangesSchema = z.object({
  changes: z.array(IdSchema).check(z.minLength(1), z.maxLength(CHANGES_LIMIT)),
});

export const deskCalls = describeCalls(endpoints, {
  getDeskBoard: {
    summary: 'Read the boats of a port on a day, with their loads and what needs attention',
    query: z.object({ port: z.optional(CodeSchema), day: z.optional(DaySchema) }),
    response: BoardSchema,
    errors: ['not_found'],
  },
  getDeskBoat: {
    summary: 'Read a boat with what was decided about it and the orders on it',
    response: BoatDetailsSchema,
    errors: ['not_found'],
  },
  previewBoatChange: {
    summary: 'Tell what a change would do, without doing it',
    body: BoatChangeInputSchema,
    response: BoatChangeOutcomeSchema,
    errors: ['not_found', 'boat_change_refused'],
  },
  changeBoat: {
    summary: 'Change a boat, its sales or what passengers are told',
    body: BoatChangeInputSchema,
    response: BoatChangeOutcomeSchema,
    errors: ['not_found', 'boat_change_refused'],
  },
  previewPortClosure: {
    summary: 'Tell what closing a port on some days would do, without doing it',
    body: PortClosureInputSchema,
    response: BoatChangeOutcomeSchema,
    errors: ['not_found'],
  },
  closePort: {
    summary: 'Close a port on some days, which cancels all boats from it and to it',
    body: PortClosureInputSchema,
    response: BoatChangeOutcomeSchema,
    errors: ['not_found'],
  },
  listWork: {
    summary:
      'List what needs a person: refunds, payments, mails, unanswered choices, fares and payouts, the oldest of each kind first. Of one kind or one boat, if asked for',
    query: z.object({ kind: z.optional(z.enum(WORK_LIST_KINDS)), boat: z.optional(IdSchema) }),
    response: WorkSchema,
  },
  payOutRefund: {
    summary: 'Note that a refund was paid out in cash, by an outside card terminal, or by bank transfer',
    /** Without a reference: in cash. */
    body: z.object({
      terminal_reference: z.nullable(plainText(1, TERMINAL_REFERENCE_LENGTH)),
      bank_reference: z._default(z.nullable(plainText(1, BANK_REFERENCE_LENGTH)), null),
    }),
    response: z.object({ refund_id: IdSchema }),
    errors: ['not_found', 'step_up_required'],
  },
  closeFare: {
    summary: 'Take a fare off the list of what needs a person, with a note. What its card owes stays owed',
    body: z.strictObject({ note: plainText(1, SETTLED_NOTE_LENGTH) }),
    response: z.object({ fare_id: IdSchema }),
    errors: ['not_found'],
  },
  previewUndoBoatChanges: {
    summary: 'Tell what ending changes would do, without doing it',
    body: EndedChangesSchema,
    response: BoatChangeOutcomeSchema,
    errors: ['not_found'],
  },
  undoBoatChanges: {
    summary: 'End changes that staff made',
    body: EndedChangesSchema,
    response: BoatChangeOutcomeSchema,
    errors: ['not_found'],
  },
});
