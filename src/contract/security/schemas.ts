import * as z from 'zod/mini';
import { EmailSchema, IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import {
  ChallengeHandleSchema,
  DigitsSchema,
  PasskeyResponseSchema,
  PasswordSchema,
} from '#contract/sign-in/schemas.ts';

/** `GET security`: how this account can be entered. */
export const SecurityOverviewSchema = z.object({
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
  /** Kept by a password manager, so it survives the loss of the device. */
  backed_up: z.boolean(),
  /** The authenticator's own name for it (base64url): what the browser is told when it is removed. */
  credential_id: z.string(),
});
export type Passkey = z.infer<typeof PasskeySchema>;

export const AddPasskeySchema = z.strictObject({
  temp: ChallengeHandleSchema,
  name: z.optional(plainText(1, 60)),
  response: PasskeyResponseSchema,
});
export const RenamePasskeySchema = z.strictObject({ name: plainText(1, 60) });

/** A new authenticator's secret; it counts once a code of it was confirmed. */
export const AuthenticatorSetupSchema = z.object({
  /** Base32, for typing in. */
  secret: z.string(),
  /** `otpauth://…`, for the QR code, which the browser draws itself. */
  otpauth_uri: z.string(),
});
export type AuthenticatorSetup = z.infer<typeof AuthenticatorSetupSchema>;

export const ConfirmAuthenticatorSchema = z.strictObject({ code: DigitsSchema });

/** Ten codes, shown this once. */
export const RecoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) });

/** `POST password`: needs a step-up, so the old one is not asked for again. Ends the other sessions. */
export const ChangePasswordSchema = z.strictObject({ password: PasswordSchema });

export const SessionSchema = z.object({
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

export const SecurityEventSchema = z.object({
  id: IdSchema,
  kind: z.enum(SECURITY_EVENT_KINDS),
  device: z.string(),
  inserted_at: InstantSchema,
});
export type SecurityEvent = z.infer<typeof SecurityEventSchema>;

export const ChangeEmailSchema = z.strictObject({ new_email: EmailSchema });
