import * as z from 'zod/mini';
import { AmountSchema, EmailSchema, IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { INVOICE_STATES } from '#contract/invoices/states.ts';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { ContactSchema, TravelerNamesSchema } from '#contract/orders/buy/schemas.ts';
import { OrderMessageSchema } from '#contract/orders/push/schemas.ts';
import { OpenChoiceSchema } from '#contract/orders/rebook/schemas.ts';
import { OrderLegSchema, OrderSchema, OrderSummarySchema } from '#contract/orders/schemas.ts';
import { ORDER_NOTICES } from '#contract/orders/statuses.ts';
import { TicketShareSchema } from '#contract/orders/ticket-shares/schemas.ts';
import { PaidInPersonSchema } from '#contract/payments/in-person-schemas.ts';
import { ReceiptSchema, RecipientSchema } from '#contract/receipts/schemas.ts';
import { AuditEntrySchema } from '#contract/staff/audit/schemas.ts';
import { ORDER_NOTE_LENGTH } from '../limits.ts';
import { RefundScopeSchema } from '../refunds/scope.ts';
import * as endpoints from './endpoints.ts';

/** Most orders that a search answers. */
export const MAX_FOUND = 20;

const FoundOrderSchema = z.extend(OrderSummarySchema, { contact: OrderSchema.shape.contact });
export type FoundOrder = z.infer<typeof FoundOrderSchema>;

const FoundCustomerSchema = z.object({ id: IdSchema, name: z.string(), email: z.string() });
export type FoundCustomer = z.infer<typeof FoundCustomerSchema>;

const CHANGED_BY = z.enum(['customer', 'guest', 'operator']);

/** A scan of some of the order's tickets, as a gate has reported it. */
const GateScanSchema = z.object({
  at: InstantSchema,
  type: z.enum(['board', 'leave', 'undo']),
  device: z.string(),
  /** Who had the shift; null: the server, or a person who was removed. */
  staff_name: z.nullable(z.string()),
  /** Titles of the tickets, as in the order. */
  tickets: z.array(z.string()),
  /** Why refused tickets were let aboard. */
  override: z.nullable(z.string()),
});

const OrderNoteSchema = z.object({
  id: IdSchema,
  at: InstantSchema,
  text: z.string(),
  /** Null: the person was removed. */
  staff_name: z.nullable(z.string()),
});

/** A refund that a person has asked for, and that another one has to approve. */
const RefundRequestSchema = z.object({
  id: IdSchema,
  at: InstantSchema,
  scope: RefundScopeSchema,
  /** The last digits of the trip card that gets it; null: back to where the payments came from. */
  trip_card_last_four: z.nullable(z.string()),
  amount: AmountSchema,
  reason: z.string(),
  /** Null: the person was removed. */
  asked_by: z.nullable(z.string()),
  /** Whether the reader has asked for it. */
  is_own: z.boolean(),
});

export const StaffOrderSchema = z.object({
  /** As its owner sees it. */
  order: OrderSchema,
  /** What the buyer was last told about the order, as a code; null: nothing, or in the operator's own words. */
  notice_code: z.nullable(z.enum(ORDER_NOTICES)),
  /** What the buyer was offered, because a journey does not run as bought; empty once they can no longer answer. */
  choices: z.array(OpenChoiceSchema),
  /** Whether it must keep a mail address, because its buyer gave one online. */
  needs_email: z.boolean(),
  /** Null: bought without an account. */
  customer_id: z.nullable(IdSchema),
  /**
   * Staff sold it to a buyer who has to pay until then, by the mailed link or in person, or its places are free again.
   * `is_mailed`: the buyer has a link. `change`: they pay for other boats, and the order stays as it is until then.
   */
  payment_link: z.nullable(
    z.object({
      pay_until: InstantSchema,
      is_mailed: z.boolean(),
      change: z.nullable(z.object({ difference: AmountSchema, legs: z.array(OrderLegSchema) })),
    }),
  ),
  /** On which it was sold; null: it was paid at once. */
  invoice: z.nullable(z.object({ number: z.string(), state: z.enum(INVOICE_STATES) })),
  /** To whom its tickets were sent. */
  ticket_shares: z.array(TicketShareSchema),
  messages: z.array(OrderMessageSchema),
  /** What staff wrote for each other, the latest first. The buyer never sees it. */
  notes: z.array(OrderNoteSchema),
  refund_request: z.nullable(RefundRequestSchema),
  cancellations: z.array(
    z.object({ id: IdSchema, at: InstantSchema, actor: CHANGED_BY, fee: AmountSchema, refund: AmountSchema }),
  ),
  changes: z.array(
    z.object({
      id: IdSchema,
      at: InstantSchema,
      actor: CHANGED_BY,
      status: z.enum(['held', 'awaiting_payment', 'done', 'expired', 'abandoned', 'refused']),
      /** To pay if positive, to refund if negative. */
      difference: AmountSchema,
    }),
  ),
  scans: z.array(GateScanSchema),
  audit: z.array(AuditEntrySchema),
});
export type StaffOrder = z.infer<typeof StaffOrderSchema>;

const CorrectOrderSchema = z.strictObject({
  /**
   * Another mail address needs a step-up: mails to it permit to cancel an order that belongs to no account. Only an order
   * that staff sold may be without an address, and only one without a name may stay so.
   */
  contact: z.optional(
    z.extend(ContactSchema, {
      name: plainText(0, PERSON_NAME_LENGTH),
      email: z.union([z.literal(''), EmailSchema]),
    }),
  ),
  traveler_names: z.optional(TravelerNamesSchema),
  /** Whether the tickets are mailed again, to the address that the order has then. */
  mail_tickets: z.boolean(),
});
export type CorrectOrder = z.infer<typeof CorrectOrderSchema>;

export const staffOrderCalls = describeCalls(endpoints, {
  findStaffOrders: {
    summary:
      'Find orders by reference, name, mail address, telephone number, license plate, trip card number or last four digits of a payment card: the latest, at most twenty; and customers by mail address or trip card number',
    query: z.object({ q: plainText(0, 100) }),
    response: z.object({
      orders: z.array(FoundOrderSchema),
      has_more: z.boolean(),
      /** With the whole mail address or trip card number, also without orders. */
      customers: z.array(FoundCustomerSchema),
    }),
  },
  getStaffOrder: {
    summary: 'Get an order with its history',
    response: StaffOrderSchema,
    errors: ['not_found'],
  },
  correctStaffOrder: {
    summary: 'Correct the contact of an order or the names of its travelers',
    body: CorrectOrderSchema,
    response: StaffOrderSchema,
    errors: ['not_found', 'order_closed', 'step_up_required'],
  },
  mailStaffTickets: {
    summary: 'Mail the tickets of an order again',
    response: StaffOrderSchema,
    errors: ['not_found', 'order_closed'],
  },
  mailPaymentLink: {
    summary: 'Mail the link again by which an order is paid',
    response: StaffOrderSchema,
    errors: ['not_found', 'order_closed', 'already_paid'],
  },
  cancelPaymentLink: {
    summary: 'Cancel an order that waits for payment by a mailed link; its places are free at once',
    response: StaffOrderSchema,
    errors: ['not_found', 'order_closed', 'already_paid', 'payment_in_progress', 'payment_unavailable'],
  },
  takeOrderPayment: {
    summary: 'Take the payment in person for an order that staff sold to be paid later',
    body: z.strictObject({ payment: PaidInPersonSchema }),
    response: StaffOrderSchema,
    errors: [
      ...(['not_found', 'order_closed', 'hold_expired', 'sailing_canceled', 'already_paid'] as const),
      ...(['payment_in_progress', 'payment_unavailable', 'unknown_trip_card'] as const),
      ...(['insufficient_balance', 'trip_card_frozen', 'trip_card_lost'] as const),
    ],
  },
  revokeStaffTicketShare: {
    summary: 'Take back tickets that the buyer has sent to another person: their link ends at once',
    response: StaffOrderSchema,
    errors: ['not_found'],
  },
  issueStaffReceipts: {
    summary: 'Issue receipts and credit notes of an order for its buyer, once, and list all of the order',
    body: z.strictObject({ recipient: z.nullable(RecipientSchema) }),
    response: z.array(ReceiptSchema),
    errors: ['not_found', 'no_receipts', 'recipient_fixed'],
  },
  addOrderNote: {
    summary: 'Write a note about an order for other staff',
    body: z.strictObject({ text: plainText(1, ORDER_NOTE_LENGTH) }),
    response: StaffOrderSchema,
    errors: ['not_found'],
  },
});
