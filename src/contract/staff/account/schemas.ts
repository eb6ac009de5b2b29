import * as z from 'zod/mini';
import { IdSchema, InstantSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { PasskeySchema } from '#contract/identity/security/schemas.ts';
import {
  ChallengeHandleSchema,
  PASSWORD_REFUSALS,
  PasskeyChallengeSchema,
  PasskeyResponseSchema,
  PasswordSchema,
} from '#contract/identity/sign-in/schemas.ts';
import * as endpoints from './endpoints.ts';

export const StaffDeviceSchema = z.object({
  id: IdSchema,
  /** "Safari on iPad". */
  device: z.string(),
  inserted_at: InstantSchema,
  last_seen_at: InstantSchema,
  current: z.boolean(),
});

/** `GET account`: how the staff member signs in, and where they are signed in. */
const StaffAccountSchema = z.object({
  has_password: z.boolean(),
  has_authenticator: z.boolean(),
  passkeys: z.array(PasskeySchema),
  sessions: z.array(StaffDeviceSchema),
});
export type StaffAccount = z.infer<typeof StaffAccountSchema>;

const NewPasswordSchema = z.strictObject({ password: PasswordSchema });
const NewPasskeySchema = z.strictObject({ temp: ChallengeHandleSchema, response: PasskeyResponseSchema });

export const staffAccountCalls = describeCalls(endpoints, {
  getStaffAccount: {
    summary: 'Get how the staff member signs in, and where they are signed in',
    response: StaffAccountSchema,
  },
  changeStaffPassword: {
    summary: 'Set a new password and end all other sessions',
    body: NewPasswordSchema,
    response: z.null(),
    errors: ['step_up_required', 'second_factor_missing', ...PASSWORD_REFUSALS],
  },
  createStaffPasskeyChallenge: {
    summary: 'Get a challenge for another passkey of the staff member',
    response: PasskeyChallengeSchema,
    errors: ['step_up_required', 'too_many_passkeys'],
  },
  addStaffPasskey: {
    summary: 'Add a passkey to the account of the staff member',
    body: NewPasskeySchema,
    response: z.null(),
    errors: ['step_up_required', 'attempt_expired', 'passkey_refused', 'passkey_exists', 'too_many_passkeys'],
  },
  removeStaffPasskey: {
    summary: 'Remove a passkey, unless it is the only way to sign in',
    response: z.null(),
    errors: ['step_up_required', 'last_sign_in'],
  },
  endOwnStaffSession: { summary: 'Sign the staff member out on one device', response: z.null() },
});
