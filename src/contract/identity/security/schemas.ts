import * as z from 'zod/mini';
import { EmailSchema, IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { PASSKEY_NAME_LENGTH } from '#contract/limits.ts';
import {
  ChallengeHandleSchema,
  DigitsSchema,
  PASSWORD_REFUSALS,
  PasskeyChallengeSchema,
  PasskeyResponseSchema,
  PasswordSchema,
} from '../sign-in/schemas.ts';
import * as endpoints from './endpoints.ts';

/** `GET security`: the sign-in methods of the account. */
const SecurityOverviewSchema = z.object({
  has_password: z.boolean(),
  password_changed_at: z.nullable(InstantSchema),
  mfa_required: z.boolean(),
  authenticator: z.object({
    status: z.enum(['none', 'pending', 'active']),
    confirmed_at: z.nullable(InstantSchema),
  }),
  recovery_codes_left: z.int(),
  passkeys: z.int(),
});
export type SecurityOverview = z.infer<typeof SecurityOverviewSchema>;

export const PasskeySchema = z.object({
  id: IdSchema,
  name: z.string(),
  inserted_at: InstantSchema,
  last_used_at: z.nullable(InstantSchema),
  /** Synchronized by a password manager, so it survives the loss of the device. */
  backed_up: z.boolean(),
  /** The authenticator's id of the passkey (base64url), which the browser needs to remove it. */
  credential_id: z.string(),
});
export type Passkey = z.infer<typeof PasskeySchema>;

const AddPasskeySchema = z.strictObject({
  temp: ChallengeHandleSchema,
  name: z.optional(plainText(1, PASSKEY_NAME_LENGTH)),
  response: PasskeyResponseSchema,
});
const RenamePasskeySchema = z.strictObject({ name: plainText(1, PASSKEY_NAME_LENGTH) });

/** A new authenticator's secret; inactive until one of its codes is confirmed. */
export const AuthenticatorSetupSchema = z.object({
  /** Base32, for typing in. */
  secret: z.string(),
  /** `otpauth://…`, drawn as a QR code by the browser. */
  otpauth_uri: z.string(),
});
export type AuthenticatorSetup = z.infer<typeof AuthenticatorSetupSchema>;

const ConfirmAuthenticatorSchema = z.strictObject({ code: DigitsSchema });

/** Ten codes, shown only once. */
const RecoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) });

/** Body of `POST password`: requires a step-up instead of the old password. Ends the other sessions. */
const ChangePasswordSchema = z.strictObject({ password: PasswordSchema });

export const SessionSchema = z.object({
  id: IdSchema,
  kind: z.enum(['password', 'magic_link', 'passkey', 'authenticator']),
  /** "Safari on iPhone". */
  device: z.string(),
  inserted_at: InstantSchema,
  last_seen_at: InstantSchema,
  current: z.boolean(),
});
export type SignedInDevice = z.infer<typeof SessionSchema>;

export const SECURITY_EVENT_KINDS = [
  'account_created',
  'signed_in_on_new_device',
  'password_changed',
  'password_reset',
  'password_switched_off',
  'email_change_asked',
  'email_changed',
  'email_change_undone',
  'phone_changed',
  'passkey_added',
  'passkey_removed',
  'authenticator_added',
  'authenticator_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'second_step_locked',
  'mfa_on',
  'mfa_off',
  'primary_card_added',
  'sessions_ended',
  'data_exported',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

export const SecurityEventSchema = z.object({
  id: IdSchema,
  kind: z.enum(SECURITY_EVENT_KINDS),
  device: z.string(),
  inserted_at: InstantSchema,
});
export type SecurityEvent = z.infer<typeof SecurityEventSchema>;

export const ChangeEmailSchema = z.strictObject({ new_email: EmailSchema });

export const securityCalls = describeCalls(endpoints, {
  getSecurity: { summary: 'Get the sign-in methods of the account', response: SecurityOverviewSchema },
  changePassword: {
    summary: 'Set a first or new password and end all other sessions',
    body: ChangePasswordSchema,
    response: z.null(),
    errors: ['step_up_required', ...PASSWORD_REFUSALS],
  },
  listPasskeys: {
    summary: 'List the passkeys of the account, oldest first',
    response: z.array(PasskeySchema),
  },
  createPasskeyChallenge: {
    summary: 'Create a challenge for adding a passkey',
    response: PasskeyChallengeSchema,
    errors: ['step_up_required', 'too_many_passkeys'],
  },
  addPasskey: {
    summary: 'Add a passkey',
    body: AddPasskeySchema,
    response: PasskeySchema,
    errors: ['step_up_required', 'passkey_refused', 'passkey_exists', 'too_many_passkeys', 'attempt_expired'],
  },
  renamePasskey: {
    summary: 'Rename a passkey',
    body: RenamePasskeySchema,
    response: PasskeySchema,
    errors: ['not_found'],
  },
  removePasskey: {
    summary: 'Remove a passkey',
    response: z.null(),
    errors: ['step_up_required', 'not_found', 'last_second_factor'],
  },
  setUpAuthenticator: {
    summary: 'Create the secret of a new authenticator, which stays inactive until it is confirmed',
    response: AuthenticatorSetupSchema,
    errors: ['step_up_required', 'authenticator_active'],
  },
  confirmAuthenticator: {
    summary:
      'Activate the authenticator with one of its codes, turn on two-step sign-in and return ten recovery codes',
    body: ConfirmAuthenticatorSchema,
    response: RecoveryCodesSchema,
    errors: ['step_up_required', 'invalid_code', 'attempt_expired', 'authenticator_active', 'rate_limited'],
  },
  removeAuthenticator: {
    summary: 'Remove the authenticator',
    response: z.null(),
    errors: ['step_up_required', 'last_second_factor', 'not_found'],
  },
  renewRecoveryCodes: {
    summary: 'Create ten new recovery codes; the old ones become invalid',
    response: RecoveryCodesSchema,
    errors: ['step_up_required', 'second_factor_missing'],
  },
  listSessions: {
    summary: 'List the sessions of the account, last used first',
    response: z.array(SessionSchema),
  },
  endOtherSessions: { summary: 'End all sessions except the current one', response: z.null() },
  endSession: {
    summary: 'End a session',
    response: z.null(),
    errors: ['not_found'],
  },
  listSecurityEvents: {
    summary: 'List the security events of the account, newest first',
    list: { fields: {}, pageSize: 20 },
    response: z.array(SecurityEventSchema),
  },
});
