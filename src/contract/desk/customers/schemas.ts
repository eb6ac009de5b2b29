import * as z from 'zod/mini';
import { AmountSchema, CurrencySchema, IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { OrderSummarySchema } from '#contract/orders/schemas.ts';
import { AuditEntrySchema } from '#contract/staff/audit/schemas.ts';
import { ADJUSTMENT_REASON_LENGTH } from '../limits.ts';
import * as endpoints from './endpoints.ts';

/** Most orders and mails of a customer that are shown. */
export const CUSTOMER_ROWS = 20;

const CustomerCardSchema = z.object({
  id: IdSchema,
  name: z.string(),
  last_four: z.string(),
  /** Of the balance: minor units of the currency, or trips of a pass. */
  unit: z.enum(['money', 'trips']),
  currency: CurrencySchema,
  balance: AmountSchema,
  status: z.enum(['active', 'frozen', 'lost']),
  expires_at: z.nullable(InstantSchema),
});
export type CustomerCard = z.infer<typeof CustomerCardSchema>;

const StaffCustomerSchema = z.object({
  id: IdSchema,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  inserted_at: InstantSchema,
  /** Number of browsers in which the customer is signed in. */
  sessions: z.int(),
  /** What is blocked after too many wrong tries; null: nothing is. */
  blocked: z.nullable(
    z.object({
      /** The password is refused until it is reset. */
      password: z.boolean(),
      /** Until when codes of the second step are refused; null: they are not. */
      codes_until: z.nullable(InstantSchema),
    }),
  ),
  /** The latest first, at most twenty. */
  orders: z.array(OrderSummarySchema),
  has_more_orders: z.boolean(),
  /** The customer's own, those in use first. */
  trip_cards: z.array(CustomerCardSchema),
  /** The last ones to the address, about the account and its orders. */
  mails: z.array(
    z.object({
      id: IdSchema,
      at: InstantSchema,
      subject: z.string(),
      status: z.enum(['queued', 'sent', 'failed']),
    }),
  ),
  /** What staff did with the account, the latest first. */
  audit: z.array(AuditEntrySchema),
});
export type StaffCustomer = z.infer<typeof StaffCustomerSchema>;

const AdjustCardSchema = z.strictObject({
  /** In the card's unit; negative to deduct. */
  amount: AmountSchema.check(z.refine((amount) => amount !== 0)),
  /** The customer reads it. */
  reason: plainText(1, ADJUSTMENT_REASON_LENGTH),
});
export type AdjustCard = z.infer<typeof AdjustCardSchema>;

export const staffCustomerCalls = describeCalls(endpoints, {
  getStaffCustomer: {
    summary: 'Get a customer with their orders, trip cards and last mails',
    response: StaffCustomerSchema,
    errors: ['not_found'],
  },
  unblockCustomer: {
    summary: 'Let a customer try again to sign in who is blocked after too many wrong passwords or codes',
    response: StaffCustomerSchema,
    errors: ['not_found', 'step_up_required'],
  },
  replaceStaffTripCard: {
    summary: 'Block a lost trip card of a customer for good, and move its value to a new one',
    response: StaffCustomerSchema,
    errors: ['not_found', 'step_up_required'],
  },
  adjustStaffTripCard: {
    summary: 'Correct the balance of a customer’s trip card, with a reason that the customer reads',
    body: AdjustCardSchema,
    response: StaffCustomerSchema,
    errors: [
      'not_found',
      'insufficient_balance',
      'refund_needs_approval',
      'trip_card_lost',
      'step_up_required',
    ],
  },
});
