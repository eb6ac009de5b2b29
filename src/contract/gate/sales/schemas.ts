import * as z from 'zod/mini';
import { DaySchema, EmailSchema, IdSchema, InstantSchema, LanguageSchema } from '#contract/common.ts';
import { HeldBackSchema } from '#contract/desk/held-back/schemas.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { PAYMENT_LINK_MAX_MINUTES, PAYMENT_LINK_MIN_MINUTES } from '#contract/gate/limits.ts';
import {
  ContactSchema,
  CreateOrderSchema,
  holdErrors,
  PlateSchema,
  QuoteSchema,
} from '#contract/orders/buy/schemas.ts';
import { OrderLegSchema } from '#contract/orders/schemas.ts';
import { StaffSaleSchema } from '#contract/payments/in-person-schemas.ts';
import { CROSSING_TIMES, SAILING_STATUSES } from '#contract/sailings/schemas.ts';
import * as endpoints from './endpoints.ts';

/** Absent: one way. */
const QuoteQueueEntrySchema = z.strictObject({ return_sailing_id: z.optional(IdSchema) });

/** A boat by which a party may return. */
const ReturnBoatSchema = z.object({
  sailing_id: IdSchema,
  vessel_name: z.string(),
  status: z.enum(SAILING_STATUSES),
  delay_minutes: z.int(),
  ...CROSSING_TIMES,
});

const ReturnBoatsSchema = z.object({
  /** The day of the boats at the port of the return, and the days on which there may be others. */
  day: DaySchema,
  first_day: DaySchema,
  last_day: DaySchema,
  /** Those with room for the party, by departure. Their places are not kept. */
  boats: z.array(ReturnBoatSchema),
  as_of: InstantSchema,
});
export type ReturnBoats = z.infer<typeof ReturnBoatsSchema>;

const RampQuotesSchema = z.object({
  /** One for each fare that covers the party, the cheapest first. */
  quotes: z.array(QuoteSchema),
  /** What is held back on its sailing, and on that of the return, the latest first. */
  held_back: z.array(HeldBackSchema),
  held_back_return: z.array(HeldBackSchema),
  as_of: InstantSchema,
});

/** Places held back for the buyer, which become fewer; those that have ended are passed over. */
const FromHeldBackSchema = z._default(z.array(IdSchema).check(z.maxLength(2)), []);

const RampSaleSchema = z.strictObject({
  quote_id: CreateOrderSchema.shape.quote_id,
  payment: StaffSaleSchema,
  /** Where the tickets are mailed; null: they are only shown at the ramp. */
  email: z._default(z.nullable(EmailSchema), null),
  /** Of the vehicle; absent: as noted in the queue. */
  plate: z.optional(PlateSchema),
  held_back: FromHeldBackSchema,
});
export type RampSale = z.infer<typeof RampSaleSchema>;

const SoldSchema = z.object({
  order_id: IdSchema,
  reference: z.string(),
  /** Of its tickets for the boat that it waits for. */
  ticket_ids: z.array(IdSchema),
  /** The page with the tickets, which the buyer opens with a phone. */
  link: z.string(),
  legs: z.array(OrderLegSchema),
});
export type Sold = z.infer<typeof SoldSchema>;

/** How long the places of a buyer who gets a payment link are held, at the latest until sales or check-in end. */
export const LinkMinutesSchema = z
  .int()
  .check(z.gte(PAYMENT_LINK_MIN_MINUTES), z.lte(PAYMENT_LINK_MAX_MINUTES));

const PaymentLinkSchema = z.strictObject({
  quote_id: CreateOrderSchema.shape.quote_id,
  /** The buyer's; the link and later the tickets are mailed there. */
  name: ContactSchema.shape.name,
  email: EmailSchema,
  /** Of the mails; absent: the seller's. */
  language: z.optional(LanguageSchema),
  minutes: LinkMinutesSchema,
  /** Of the vehicle; absent: as noted in the queue. */
  plate: z.optional(PlateSchema),
  held_back: FromHeldBackSchema,
});
export type PaymentLink = z.infer<typeof PaymentLinkSchema>;

/** For a buyer who pays in person. Staff need a phone number or an address to reach them. */
const PierHoldSchema = z
  .strictObject({
    quote_id: CreateOrderSchema.shape.quote_id,
    name: ContactSchema.shape.name,
    phone: ContactSchema.shape.phone,
    /** Where the tickets are mailed once they are paid. */
    email: z._default(z.nullable(EmailSchema), null),
    /** How long the places are held, at the latest until the boat departs; null: until 30 minutes before. */
    minutes: z._default(z.nullable(LinkMinutesSchema), null),
    /** Of the vehicle; absent: as noted in the queue. */
    plate: z.optional(PlateSchema),
    held_back: FromHeldBackSchema,
  })
  .check(z.refine(({ phone, email }) => phone !== '' || email !== null, { path: ['phone'] }));
export type PierHold = z.infer<typeof PierHoldSchema>;

const HeldOrderSchema = z.object({
  reference: z.string(),
  /** Until when it has to be paid; null: it costs nothing, so it has its tickets. */
  pay_until: z.nullable(InstantSchema),
  legs: z.array(OrderLegSchema),
});
export type HeldOrder = z.infer<typeof HeldOrderSchema>;

const rampErrors = [
  ...holdErrors,
  ...(['places_held_back', 'sailing_not_boarding', 'plate_required', 'hold_expired'] as const),
] as const;

export const gateSaleCalls = describeCalls(endpoints, {
  quoteQueueEntry: {
    summary: 'Price the tickets of a party in the queue, in each fare, one way or with the return',
    body: QuoteQueueEntrySchema,
    isBodyOptional: true,
    response: RampQuotesSchema,
    errors: [...holdErrors, 'sailing_not_boarding'],
  },
  listQueueReturns: {
    summary: 'List the boats of a day by which a party in the queue may return',
    query: z.strictObject({
      /** Absent: the day on which it arrives. */
      day: z.optional(DaySchema),
    }),
    response: ReturnBoatsSchema,
    errors: ['not_found'],
  },
  sellToQueueEntry: {
    summary: 'Sell a party in the queue its tickets, paid to staff',
    body: RampSaleSchema,
    response: SoldSchema,
    errors: [
      ...rampErrors,
      ...(['insufficient_balance', 'trip_card_frozen', 'trip_card_lost', 'unknown_trip_card'] as const),
      ...(['already_paid', 'order_closed', 'no_invoices'] as const),
    ],
  },
  sendPaymentLink: {
    summary: 'Hold the tickets of a party in the queue for its buyer, who gets a mail with a link to pay',
    body: PaymentLinkSchema,
    response: HeldOrderSchema,
    errors: [...rampErrors, 'below_smallest_charge', 'already_paid'],
  },
  holdForPier: {
    summary: 'Hold the tickets of a party in the queue for its buyer, who pays in person',
    body: PierHoldSchema,
    response: HeldOrderSchema,
    errors: [...rampErrors, 'already_paid'],
  },
});
