import * as z from 'zod/mini';
import { EmailSchema, PhoneSchema, plainText } from '#contract/common.ts';

/** A password as typed: any characters; its length is the rules' business, the reader only has a bound. */
export const PasswordSchema = z.string().check(z.minLength(1), z.maxLength(4096));

/** Six digits, as mailed or shown by an authenticator; spaces people type between them are dropped. */
export const DigitsSchema = z.string().check(
  z.maxLength(16),
  z.overwrite((text) => text.replace(/[\s-]/g, '')),
  z.regex(/^[0-9]{6}$/),
);

/** Six digits of an authenticator, or a recovery code `XXXX-XXXX-XXXX-XXXX` in any spelling. */
export const SecondStepCodeSchema = z.string().check(
  z.maxLength(40),
  z.overwrite((text) => text.replace(/[\s-]/g, '').toUpperCase()),
  z.regex(/^([0-9]{6}|[A-Z2-7]{16})$/),
);

/** 256 random bits, base64url: handles of attempts and secrets of mailed links. */
export const SecretSchema = z.string().check(z.regex(/^[\w-]{43}$/));

/** Handle of a passkey challenge: signed by the server, nothing is kept for it. */
export const ChallengeHandleSchema = z.string().check(z.regex(/^[\w.-]{40,400}$/));

/** What a browser's passkey call answered, as JSON; the server checks what it says. */
export const PasskeyResponseSchema = z.looseObject({
  id: z.string().check(z.regex(/^[\w-]{1,1400}$/)),
  rawId: z.string().check(z.regex(/^[\w-]{1,1400}$/)),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
});
export type PasskeyResponse = z.infer<typeof PasskeyResponseSchema>;

/** `POST sessions/sign_in`. Without `password` a code and a link are mailed. */
export const SignInSchema = z.strictObject({ email: EmailSchema, password: z.optional(PasswordSchema) });
export type SignIn = z.infer<typeof SignInSchema>;

/** Signed in: the token of the new session. */
export const SignedInSchema = z.object({ token: z.string() });

/** Not yet: `temp` is the handle of this attempt, `next` what it waits for. Times in seconds. */
export const NextStepSchema = z.object({
  temp: z.string(),
  next: z.enum(['email_code', 'authenticator', 'passkey']),
  expires_in: z.int(),
  /** Only for `email_code`: when another mail may be asked for. */
  resend_in: z.optional(z.int()),
});
export type NextStep = z.infer<typeof NextStepSchema>;

export const SignInOutcomeSchema = z.union([SignedInSchema, NextStepSchema]);
export type SignInOutcome = z.infer<typeof SignInOutcomeSchema>;

/** `POST sessions/magic_link`. Without `code` the mail is sent again, with another code and another link. */
export const MagicLinkSchema = z.strictObject({
  temp: SecretSchema,
  code: z.optional(z.nullable(DigitsSchema)),
});

/** `POST sessions/magic_link/verify`: the link's token; with `code` and `temp`, the second step born of it. */
export const VerifyMagicLinkSchema = z.strictObject({
  token: SecretSchema,
  code: z.optional(z.nullable(SecondStepCodeSchema)),
  temp: z.optional(z.nullable(SecretSchema)),
});

/** `POST authenticator/verify`: the second step. A recovery code does as well. */
export const VerifyAuthenticatorSchema = z.strictObject({ code: SecondStepCodeSchema, temp: SecretSchema });

/** `GET sessions/passkey/challenge`: `options` go to the browser's passkey call as they are. */
export const PasskeyChallengeSchema = z.object({
  temp: z.string(),
  options: z.record(z.string(), z.unknown()),
});

/**
 * `POST sessions/passkey/verify`: `temp` of the challenge. As the second step of a sign-in `first_temp` is the
 * handle of the first: a passkey that did not check who holds it counts only beside that.
 */
export const VerifyPasskeySchema = z.strictObject({
  temp: ChallengeHandleSchema,
  response: PasskeyResponseSchema,
  first_temp: z.optional(SecretSchema),
});

/** How somebody signed in can show once more that it is them. */
export const STEP_UP_METHODS = ['password', 'passkey', 'authenticator', 'email_code'] as const;
export type StepUpMethod = (typeof STEP_UP_METHODS)[number];
/** `details` of a `step_up_required` refusal. `email_code` is offered to who has nothing else. */
export type StepUpDetails = { methods: StepUpMethod[] };

/**
 * `POST sessions/reauthenticate`: one of `{password}`, `{code}` (authenticator or recovery code),
 * `{temp, response}` (passkey), `{send: 'email_code'}` and then `{temp, code}`.
 */
export const ReauthenticateSchema = z.union([
  z.strictObject({ password: PasswordSchema }),
  z.strictObject({ code: SecondStepCodeSchema }),
  z.strictObject({ temp: SecretSchema, code: DigitsSchema }),
  z.strictObject({ temp: ChallengeHandleSchema, response: PasskeyResponseSchema }),
  z.strictObject({ send: z.literal('email_code') }),
]);
export type Reauthenticate = z.infer<typeof ReauthenticateSchema>;

/** `POST register`: the same answer for a known address. The account begins when the mailed link is confirmed. */
export const RegisterSchema = z.strictObject({
  name: plainText(1, 120),
  email: EmailSchema,
  password: PasswordSchema,
  phone: z.optional(PhoneSchema),
  terms_version: z.string().check(z.maxLength(40)),
});
export type Register = z.infer<typeof RegisterSchema>;

/** Answer to `POST register`. `temp` proves at the confirmation that it is done by the same browser. */
export const RegistrationSchema = z.object({ temp: z.string(), expires_in: z.int() });
export type RegistrationStarted = z.infer<typeof RegistrationSchema>;

/** `POST verify/{token}`. The body may be left out. With the `temp` of the registration the answer signs in. */
export const VerifyAccountSchema = z.strictObject({ temp: z.optional(SecretSchema) });

/** `has_password`: false when two people asked for one address; then the mailbox decides, by a mailed code. */
export const AccountVerifiedSchema = z.object({
  email: z.string(),
  has_password: z.boolean(),
  token: z.optional(z.string()),
});
export type AccountVerified = z.infer<typeof AccountVerifiedSchema>;

/** `POST password/reset_instructions`. */
export const EmailOnlySchema = z.strictObject({ email: EmailSchema });

/** `POST password/reset`. `code` is asked for (`second_step_required`) when two-step sign-in is on. */
export const ResetPasswordSchema = z.strictObject({
  token: SecretSchema,
  password: PasswordSchema,
  code: z.optional(z.nullable(SecondStepCodeSchema)),
});

/** Calls that take nothing but the secret of a mailed link. */
export const TokenOnlySchema = z.strictObject({ token: SecretSchema });

/** Lengths a password may have, in code points. The operator may ask for more by `PASSWORD_MIN_LENGTH`. */
export const PASSWORD_LENGTH = { min: 8, max: 1024 } as const;
