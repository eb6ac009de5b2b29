import * as z from 'zod/mini';
import { IdSchema, PhoneSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { ORDER_STATUSES, OrderSchema, OrderSummarySchema } from '#contract/orders/schemas.ts';
import { ChangeEmailSchema } from '#contract/security/schemas.ts';
import * as endpoints from './endpoints.ts';

export const CustomerSchema = z.object({
  id: IdSchema,
  email: z.string(),
  name: z.string(),
  phone: z.string(),
  pending_email: z.string(),
  mfa_required: z.boolean(),
  beta_tester: z.boolean(),
});
export type Customer = z.infer<typeof CustomerSchema>;

/** Body of `PATCH /api/customers`. `email` is refused with `use_change_email`, any other unknown field as unknown. */
const ChangeCustomerSchema = z.strictObject({
  name: z.optional(plainText(1, 120)),
  phone: z.optional(PhoneSchema),
  email: z.optional(z.string()),
  pending_email: z.optional(z.string()),
  mfa_required: z.optional(z.boolean()),
});
export type ChangeCustomer = z.infer<typeof ChangeCustomerSchema>;

/** `GET /api/customers/sessions/ping`: camel case on the wire, as specified. */
export type SessionPing = { success: boolean; errorCode: string | null };

/** Ping failures that leave the signed-in flag as it is, so that a weak connection does not sign the customer out. */
export const RECOGNISED_PING_CODES = [
  'network_error',
  'timeout',
  'internal_server_error',
  'rate_limited',
] as const;

/** The fields My Orders can be filtered by, and how each is compared. */
const ORDER_FILTER_FIELDS = {
  status: { type: 'choice', values: ORDER_STATUSES },
  reference: { type: 'text' },
  departs_at: { type: 'instant' },
  inserted_at: { type: 'instant' },
  route_id: { type: 'text' },
} as const;

export const accountCalls = describeCalls(endpoints, {
  getDetails: {
    summary: 'The customer; the fields stand at the top level too',
    response: CustomerSchema,
    isTopLevel: true,
    errors: [],
  },
  changeDetails: {
    summary: 'Changes the customer and answers what is stored; the fields stand at the top level too',
    body: ChangeCustomerSchema,
    response: CustomerSchema,
    isTopLevel: true,
    errors: ['unknown_field', 'use_change_email', 'second_factor_missing', 'step_up_required'],
  },
  deleteCustomer: {
    summary: 'Deletes the account; orders stay without it, tickets stay good',
    response: z.null(),
    errors: ['step_up_required', 'account_in_use'],
  },
  exportCustomer: {
    summary: 'Everything that is kept about the customer, as JSON',
    response: z.record(z.string(), z.unknown()),
    errors: ['step_up_required', 'rate_limited'],
  },
  changeEmail: {
    summary: 'Mails a link to the new address; says the same when another account has it',
    body: ChangeEmailSchema,
    response: CustomerSchema,
    errors: ['step_up_required', 'invalid_input', 'rate_limited'],
  },
  resendEmailChange: {
    summary: 'Mails the link of the change under way again; the one before is void',
    response: z.null(),
    errors: ['no_email_change', 'rate_limited'],
  },
  listOrders: {
    summary: 'The customer’s orders, newest first',
    list: { fields: ORDER_FILTER_FIELDS, pageSize: 10 },
    response: z.array(OrderSummarySchema),
    errors: [],
  },
  getCustomerOrder: {
    summary: 'One of the customer’s orders',
    response: OrderSchema,
    errors: ['not_found'],
  },
});
