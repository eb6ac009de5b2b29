import * as z from 'zod/mini';
import { EmailSchema, PhoneSchema, plainText, TermsVersionSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { PASSWORD_REFUSALS, PasswordSchema, SecondStepCodeSchema, SecretSchema } from '../sign-in/schemas.ts';
import * as endpoints from './endpoints.ts';

/**
 * Body of `POST register`. A known address gets the same response. The account is created when the mailed link is
 * confirmed.
 */
const RegisterSchema = z.strictObject({
  name: plainText(1, PERSON_NAME_LENGTH),
  email: EmailSchema,
  password: PasswordSchema,
  phone: z.optional(PhoneSchema),
  terms_version: TermsVersionSchema,
});
export type Register = z.infer<typeof RegisterSchema>;

/** Response to `POST register`. `temp` proves at the confirmation that it comes from the same browser. */
const RegistrationSchema = z.object({ temp: z.string(), expires_in: z.int() });

/** Body of `POST verify/{token}`, may be omitted. With the `temp` of the registration the response signs in. */
const VerifyAccountSchema = z.strictObject({ temp: z.optional(SecretSchema) });

/**
 * `has_password` is false if two people registered the same address; the mailbox's owner then continues by mailed code.
 */
const AccountVerifiedSchema = z.object({
  email: z.string(),
  has_password: z.boolean(),
  token: z.optional(z.string()),
});
export type AccountVerified = z.infer<typeof AccountVerifiedSchema>;

/** `POST password/reset_instructions`. */
const EmailOnlySchema = z.strictObject({ email: EmailSchema });

/** Body of `POST password/reset`. `code` is required (`second_step_required`) if two-step sign-in is on. */
export const ResetPasswordSchema = z.strictObject({
  token: SecretSchema,
  password: PasswordSchema,
  code: z.optional(z.nullable(SecondStepCodeSchema)),
});

/** Body of calls that take only the secret of a mailed link. */
const TokenOnlySchema = z.strictObject({ token: SecretSchema });

export const registrationCalls = describeCalls(endpoints, {
  register: {
    summary: 'Register a customer; a mailed link completes it. The response is the same for a known address',
    body: RegisterSchema,
    response: RegistrationSchema,
    errors: [...PASSWORD_REFUSALS, 'terms_outdated', 'rate_limited'],
  },
  verifyAccount: {
    summary: 'Create the account with the mailed token; also signs in the browser that registered it',
    body: VerifyAccountSchema,
    isBodyOptional: true,
    response: AccountVerifiedSchema,
    errors: ['link_expired'],
  },
  sendResetInstructions: {
    summary: 'Mail a link to set a new password; the response is the same for an unknown address',
    body: EmailOnlySchema,
    response: z.null(),
    errors: ['rate_limited'],
  },
  resetPassword: {
    summary: 'Set a new password with the mailed token and end all sessions',
    body: ResetPasswordSchema,
    response: z.null(),
    errors: [...PASSWORD_REFUSALS, 'link_expired', 'second_step_required', 'invalid_code', 'rate_limited'],
  },
  verifyEmailChange: {
    summary: 'Complete a change of email address with the mailed token; no session is required',
    body: TokenOnlySchema,
    response: z.object({ email: z.string() }),
    errors: ['link_expired'],
  },
  undoEmailChange: {
    summary:
      'Cancel or revert a change of email address with the token mailed to the old one; ends all sessions',
    body: TokenOnlySchema,
    response: z.object({ email: z.string() }),
    errors: ['link_expired'],
  },
});
