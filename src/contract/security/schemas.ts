import * as z from 'zod/mini';
import { EmailSchema, IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import {
  ChallengeHandleSchema,
  DigitsSchema,
  PASSWORD_REFUSALS,
  PasskeyChallengeSchema,
  PasskeyResponseSchema,
  PasswordSchema,
} from '#contract/sign-in/schemas.ts';
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

const PasskeySchema = z.object({
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
  name: z.optional(plainText(1, 60)),
  response: PasskeyResponseSchema,
});
const RenamePasskeySchema = z.strictObject({ name: plainText(1, 60) });

/** A new authenticator's secret; inactive until one of its codes is confirmed. */
const AuthenticatorSetupSchema = z.object({
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

const SessionSchema = z.object({
  id: IdSchema,
  kind: z.enum(['password', 'magic_link', 'passkey', 'totp']),
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

const SecurityEventSchema = z.object({
  id: IdSchema,
  kind: z.enum(SECURITY_EVENT_KINDS),
  device: z.string(),
  inserted_at: InstantSchema,
});
export type SecurityEvent = z.infer<typeof SecurityEventSchema>;

export const ChangeEmailSchema = z.strictObject({ new_email: EmailSchema });

export const securityCalls = describeCalls(endpoints, {
  getSecurity: {
    summary: 'How the account can be entered',
    response: SecurityOverviewSchema,
    errors: [],
  },
  changePassword: {
    summary: 'Sets another password, or a first one, and ends the other sessions',
    body: ChangePasswordSchema,
    response: z.null(),
    errors: ['step_up_required', ...PASSWORD_REFUSALS],
  },
  listPasskeys: {
    summary: 'The account’s passkeys, oldest first',
    response: z.array(PasskeySchema),
    errors: [],
  },
  createPasskeyChallenge: {
    summary: 'What a browser needs to make a passkey',
    response: PasskeyChallengeSchema,
    errors: ['step_up_required', 'too_many_passkeys'],
  },
  addPasskey: {
    summary: 'Adds a passkey',
    body: AddPasskeySchema,
    response: PasskeySchema,
    errors: ['step_up_required', 'passkey_refused', 'passkey_exists', 'too_many_passkeys', 'attempt_expired'],
  },
  renamePasskey: {
    summary: 'Renames a passkey',
    body: RenamePasskeySchema,
    response: PasskeySchema,
    errors: ['not_found'],
  },
  removePasskey: {
    summary: 'Removes a passkey',
    response: z.null(),
    errors: ['step_up_required', 'not_found', 'last_second_factor'],
  },
  setUpAuthenticator: {
    summary: 'Begins with an authenticator: its secret, which counts once confirmed',
    response: AuthenticatorSetupSchema,
    errors: ['step_up_required', 'authenticator_active'],
  },
  confirmAuthenticator: {
    summary:
      'Confirms the authenticator with a code of it, turns two-step sign-in on and answers ten recovery codes',
    body: ConfirmAuthenticatorSchema,
    response: RecoveryCodesSchema,
    errors: ['step_up_required', 'invalid_code', 'attempt_expired', 'authenticator_active', 'rate_limited'],
  },
  removeAuthenticator: {
    summary: 'Removes the authenticator',
    response: z.null(),
    errors: ['step_up_required', 'last_second_factor', 'not_found'],
  },
  renewRecoveryCodes: {
    summary: 'Ten new recovery codes; the old ones are void',
    response: RecoveryCodesSchema,
    errors: ['step_up_required', 'second_factor_missing'],
  },
  listSessions: {
    summary: 'Where the account is signed in, last used first',
    response: z.array(SessionSchema),
    errors: [],
  },
  endOtherSessions: {
    summary: 'Ends every session but this one',
    response: z.null(),
    errors: [],
  },
  endSession: {
    summary: 'Ends one session',
    response: z.null(),
    errors: ['not_found'],
  },
  listSecurityEvents: {
    summary: 'What happened to the account’s security, newest first',
    list: { fields: {}, pageSize: 20 },
    response: z.array(SecurityEventSchema),
    errors: [],
  },
});
