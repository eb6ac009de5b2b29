import * as z from 'zod/mini';
import { IdSchema, LanguageSchema, PhoneSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { ChangeEmailSchema } from '../security/schemas.ts';
import * as endpoints from './endpoints.ts';

export const CustomerSchema = z.object({
  id: IdSchema,
  email: z.string(),
  name: z.string(),
  phone: z.string(),
  pending_email: z.string(),
  mfa_required: z.boolean(),
  beta_tester: z.boolean(),
  /** Of pages and mails; null until the customer has chosen one. */
  language: z.nullable(LanguageSchema),
});
export type Customer = z.infer<typeof CustomerSchema>;

/** Body of `PATCH /api/customers`. `email` is refused with `use_change_email`, any other unknown field as unknown. */
const ChangeCustomerSchema = z.strictObject({
  name: z.optional(plainText(1, PERSON_NAME_LENGTH)),
  phone: z.optional(PhoneSchema),
  email: z.optional(z.string()),
  pending_email: z.optional(z.string()),
  mfa_required: z.optional(z.boolean()),
  language: z.optional(LanguageSchema),
});
export type ChangeCustomer = z.infer<typeof ChangeCustomerSchema>;

/** `GET /api/customers/sessions/ping`: camel case on the wire, as specified. */
export type SessionPing = { success: boolean; errorCode: string | null };

/** Ping failures that leave the signed-in flag as it is, so that a weak connection does not sign the customer out. */
export const RECOGNIZED_PING_CODES = [
  'network_error',
  'timeout',
  'internal_server_error',
  'rate_limited',
] as const;

export const accountCalls = describeCalls(endpoints, {
  getDetails: {
    summary: 'Get the customer; the fields are repeated at the top level',
    response: CustomerSchema,
    isTopLevel: true,
  },
  changeDetails: {
    summary: 'Change the customer; returns the stored values, repeated at the top level',
    body: ChangeCustomerSchema,
    response: CustomerSchema,
    isTopLevel: true,
    errors: ['unknown_field', 'use_change_email', 'second_factor_missing', 'step_up_required'],
  },
  changeEmail: {
    summary: 'Mail a link to a new email address; the response is the same for an address in use',
    body: ChangeEmailSchema,
    response: CustomerSchema,
    errors: ['step_up_required', 'invalid_input', 'rate_limited'],
  },
  resendEmailChange: {
    summary: 'Mail the link of the pending change of email address again; the previous link becomes invalid',
    response: z.null(),
    errors: ['no_email_change', 'rate_limited'],
  },
});
