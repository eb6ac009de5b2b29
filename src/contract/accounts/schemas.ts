import * as z from 'zod/mini';
import { IdSchema, PhoneSchema, plainText } from '#contract/common.ts';

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

/** `PATCH /api/customers`: what may be sent. `email` is refused with `use_change_email`, anything else as unknown. */
export const ChangeCustomerSchema = z.strictObject({
  name: z.optional(plainText(1, 120)),
  phone: z.optional(PhoneSchema),
  email: z.optional(z.string()),
  pending_email: z.optional(z.string()),
  mfa_required: z.optional(z.boolean()),
});
export type ChangeCustomer = z.infer<typeof ChangeCustomerSchema>;

/** `GET /api/customers/sessions/ping`: camel case on the wire, as specified. */
export type SessionPing = { success: boolean; errorCode: string | null };

/** Ping failures that leave the signed-in flag as it is: nobody is signed out by a dead spot. */
export const RECOGNISED_PING_CODES = [
  'network_error',
  'timeout',
  'internal_server_error',
  'rate_limited',
] as const;
