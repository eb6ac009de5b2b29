import * as z from 'zod/mini';
import { EmailSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { AuthenticatorSetupSchema } from '../identity/security/schemas.ts';
import {
  ChallengeHandleSchema,
  DigitsSchema,
  PASSWORD_REFUSALS,
  PasskeyChallengeSchema,
  PasskeyResponseSchema,
  PasswordSchema,
  SecretSchema,
} from '../identity/sign-in/schemas.ts';
import * as endpoints from './endpoints.ts';
import { STAFF_ROLES } from './permissions.ts';

const StaffRoleSchema = z.enum(STAFF_ROLES);

export const StaffSessionSchema = z.object({
  staff: z.object({ id: z.string(), name: z.string(), email: z.string(), role: StaffRoleSchema }),
  expires_at: z.iso.datetime(),
});
export type StaffSession = z.infer<typeof StaffSessionSchema>;

/** Body of `POST invitation`: the secret of the mailed link. */
const InvitationTokenSchema = z.strictObject({ token: SecretSchema });

/** `authenticator`: the secret of the app with which the invited person can confirm a password. */
const InvitationSchema = z.object({
  email: z.string(),
  name: z.string(),
  role: StaffRoleSchema,
  authenticator: AuthenticatorSetupSchema,
});
export type StaffInvitation = z.infer<typeof InvitationSchema>;

/** Either a passkey, or both a password and a code of the authenticator. */
const AcceptInvitationSchema = z.union([
  z.strictObject({
    token: SecretSchema,
    name: plainText(1, PERSON_NAME_LENGTH),
    password: PasswordSchema,
    code: DigitsSchema,
  }),
  z.strictObject({
    token: SecretSchema,
    name: plainText(1, PERSON_NAME_LENGTH),
    temp: ChallengeHandleSchema,
    response: PasskeyResponseSchema,
  }),
]);
export type AcceptStaffInvitation = z.infer<typeof AcceptInvitationSchema>;

/** Without `code` the password alone is checked. It is sent again with the code, so that nothing is stored in between. */
const StaffSignInSchema = z.strictObject({
  email: EmailSchema,
  password: PasswordSchema,
  code: z.optional(DigitsSchema),
});
export type StaffSignIn = z.infer<typeof StaffSignInSchema>;

const StaffSignInOutcomeSchema = z.union([StaffSessionSchema, z.object({ next: z.literal('code') })]);
export type StaffSignInOutcome = z.infer<typeof StaffSignInOutcomeSchema>;

const PasskeyAnswerSchema = z.strictObject({ temp: ChallengeHandleSchema, response: PasskeyResponseSchema });

/** A code of the authenticator, or a passkey. */
const StaffStepUpSchema = z.union([z.strictObject({ code: DigitsSchema }), PasskeyAnswerSchema]);
export type StaffStepUp = z.infer<typeof StaffStepUpSchema>;

export const staffCalls = describeCalls(endpoints, {
  readStaffInvitation: {
    summary: 'Get what an invitation of a staff member says; does not use it up',
    body: InvitationTokenSchema,
    response: InvitationSchema,
    errors: ['link_expired'],
  },
  createInvitedPasskey: {
    summary: 'Get a challenge for the passkey of an invited staff member',
    body: InvitationTokenSchema,
    response: PasskeyChallengeSchema,
    errors: ['link_expired'],
  },
  acceptStaffInvitation: {
    summary: 'Accept an invitation and sign in; the session is in a cookie',
    body: AcceptInvitationSchema,
    response: StaffSessionSchema,
    errors: ['link_expired', 'invalid_code', 'passkey_refused', 'attempt_expired', ...PASSWORD_REFUSALS],
  },
  signInStaff: {
    summary: 'Sign a staff member in with a password and a code of the authenticator',
    body: StaffSignInSchema,
    response: StaffSignInOutcomeSchema,
    errors: ['invalid_credentials', 'invalid_code', 'demo_closed', 'rate_limited'],
  },
  getStaffPasskeyChallenge: {
    summary: 'Get a challenge for signing in, or for a step-up, with a passkey',
    response: PasskeyChallengeSchema,
    errors: ['rate_limited'],
  },
  signInStaffWithPasskey: {
    summary: 'Sign a staff member in with a passkey',
    body: PasskeyAnswerSchema,
    response: StaffSessionSchema,
    errors: ['unknown_credential', 'passkey_refused', 'attempt_expired', 'demo_closed', 'rate_limited'],
  },
  getStaffSession: { summary: 'Get the signed-in staff member', response: StaffSessionSchema },
  endStaffSession: { summary: 'Sign the staff member out', response: z.null() },
  endStaffSessions: { summary: 'Sign the staff member out on all devices', response: z.null() },
  stepUpStaff: {
    summary: 'Confirm the identity of the signed-in staff member for ten minutes',
    body: StaffStepUpSchema,
    response: z.null(),
    errors: ['invalid_code', 'unknown_credential', 'passkey_refused', 'attempt_expired', 'rate_limited'],
  },
});
