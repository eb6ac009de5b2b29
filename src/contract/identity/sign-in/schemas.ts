import * as z from 'zod/mini';
import { EmailSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import * as endpoints from './endpoints.ts';

/** A password as typed. The domain's rules check its length; the schema only bounds it. */
export const PasswordSchema = z.string().check(z.minLength(1), z.maxLength(4096));

/** Six digits, as mailed or shown by an authenticator, without the spaces people type between them. */
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

/** 256 random bits, base64url: handles of sign-in challenges and secrets of mailed links. */
export const SecretSchema = z.string().check(z.regex(/^[\w-]{43}$/));

/** Handle of a passkey challenge, signed by the server, which stores nothing for it. */
export const ChallengeHandleSchema = z.string().check(z.regex(/^[\w.-]{40,400}$/));

/** Result of the browser's passkey call as JSON; the server verifies it. */
export const PasskeyResponseSchema = z.looseObject({
  id: z.string().check(z.regex(/^[\w-]{1,1400}$/)),
  rawId: z.string().check(z.regex(/^[\w-]{1,1400}$/)),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
});
export type PasskeyResponse = z.infer<typeof PasskeyResponseSchema>;

/** Body of `POST sessions/sign_in`. Without `password` a code and a link are mailed. */
const SignInSchema = z.strictObject({ email: EmailSchema, password: z.optional(PasswordSchema) });

/** Signed in: the token of the new session. */
const SignedInSchema = z.object({ token: z.string() });

/** Sign-in is not complete: `temp` is the handle of the challenge, `next` the required step. Times in seconds. */
const NextStepSchema = z.object({
  temp: z.string(),
  next: z.enum(['email_code', 'authenticator', 'passkey']),
  expires_in: z.int(),
  /** Only for `email_code`: seconds until another mail can be requested. */
  resend_in: z.optional(z.int()),
});
export type NextStep = z.infer<typeof NextStepSchema>;

const SignInOutcomeSchema = z.union([SignedInSchema, NextStepSchema]);
export type SignInOutcome = z.infer<typeof SignInOutcomeSchema>;

/** Body of `POST sessions/magic_link`. Without `code` another mail is sent, with a new code and link. */
const MagicLinkSchema = z.strictObject({
  temp: SecretSchema,
  code: z.optional(z.nullable(DigitsSchema)),
});

/**
 * Body of `POST sessions/magic_link/verify`: the link's token; with `code` and `temp` the second step that it led to.
 */
const VerifyMagicLinkSchema = z.strictObject({
  token: SecretSchema,
  code: z.optional(z.nullable(SecondStepCodeSchema)),
  temp: z.optional(z.nullable(SecretSchema)),
});

/** Body of `POST authenticator/verify`: the second step. A recovery code is accepted too. */
const VerifyAuthenticatorSchema = z.strictObject({ code: SecondStepCodeSchema, temp: SecretSchema });

/** `GET sessions/passkey/challenge`: `options` are passed to the browser's passkey call unchanged. */
export const PasskeyChallengeSchema = z.object({
  temp: z.string(),
  options: z.record(z.string(), z.unknown()),
});

/**
 * Body of `POST sessions/passkey/verify`: `temp` of the challenge. As a second step, `first_temp` is the handle of the
 * first; a passkey without user verification is accepted only then.
 */
export const VerifyPasskeySchema = z.strictObject({
  temp: ChallengeHandleSchema,
  response: PasskeyResponseSchema,
  first_temp: z.optional(SecretSchema),
});

/** Ways to confirm the identity of a signed-in customer again. */
const STEP_UP_METHODS = ['password', 'passkey', 'authenticator', 'email_code'] as const;
export type StepUpMethod = (typeof STEP_UP_METHODS)[number];
/** `details` of a `step_up_required` refusal. `email_code` is offered only if no other method is available. */
export type StepUpDetails = { methods: StepUpMethod[] };

/**
 * Body of `POST sessions/reauthenticate`: one of `{password}`, `{code}` (authenticator or recovery code), `{temp,
 * response}` (passkey), `{send: 'email_code'}` followed by `{temp, code}`.
 */
const ReauthenticateSchema = z.union([
  z.strictObject({ password: PasswordSchema }),
  z.strictObject({ code: SecondStepCodeSchema }),
  z.strictObject({ temp: SecretSchema, code: DigitsSchema }),
  z.strictObject({ temp: ChallengeHandleSchema, response: PasskeyResponseSchema }),
  z.strictObject({ send: z.literal('email_code') }),
]);
export type Reauthenticate = z.infer<typeof ReauthenticateSchema>;

/** Length of a password in code points. The operator can raise the minimum with `PASSWORD_MIN_LENGTH`. */
export const PASSWORD_LENGTH = { min: 8, max: 1024 } as const;

/** Refusals of a new password. */
export const PASSWORD_REFUSALS = ['password_too_short', 'password_too_long', 'password_too_common'] as const;

export const signInCalls = describeCalls(endpoints, {
  signIn: {
    summary: 'Sign in with a password; without a password, mail a code and a link',
    body: SignInSchema,
    response: SignInOutcomeSchema,
    isTopLevel: true,
    errors: ['invalid_credentials', 'demo_closed', 'rate_limited'],
  },
  signInWithEmailCode: {
    summary: 'Sign in with the mailed code; without a code, mail another one',
    body: MagicLinkSchema,
    response: SignInOutcomeSchema,
    isTopLevel: true,
    errors: ['invalid_code', 'demo_closed', 'attempt_expired', 'rate_limited'],
  },
  signInWithLink: {
    summary: 'Sign in with the token of a mailed link, which can be used once',
    body: VerifyMagicLinkSchema,
    response: SignInOutcomeSchema,
    isTopLevel: true,
    errors: ['link_expired', 'demo_closed', 'invalid_code', 'attempt_expired', 'rate_limited'],
  },
  verifySecondStep: {
    summary: 'Complete a sign-in with a code of the authenticator or a recovery code',
    body: VerifyAuthenticatorSchema,
    response: SignedInSchema,
    isTopLevel: true,
    errors: ['invalid_code', 'demo_closed', 'attempt_expired', 'rate_limited'],
  },
  getPasskeyChallenge: {
    summary: 'Get a challenge for signing in with a passkey',
    response: PasskeyChallengeSchema,
    isTopLevel: true,
    errors: ['rate_limited'],
  },
  signInWithPasskey: {
    summary: 'Sign in with a passkey',
    body: VerifyPasskeySchema,
    response: SignInOutcomeSchema,
    isTopLevel: true,
    errors: ['unknown_credential', 'demo_closed', 'passkey_refused', 'attempt_expired', 'rate_limited'],
  },
  reauthenticate: {
    summary:
      'Confirm the identity of the signed-in customer; returns a new token, or a challenge for a mailed code',
    body: ReauthenticateSchema,
    response: SignInOutcomeSchema,
    isTopLevel: true,
    errors: [
      'invalid_credentials',
      'invalid_code',
      'unknown_credential',
      'passkey_refused',
      'attempt_expired',
      'step_up_required',
      'rate_limited',
    ],
  },
  signOut: {
    summary: 'End the session of the bearer token; the response is the same without a session',
    response: z.null(),
  },
  pingSession: {
    summary: 'Check whether the session is valid; `success` and `errorCode` are at the top level',
    response: z.object({ errorCode: z.nullable(z.string()) }),
    isTopLevel: true,
    isRaw: true,
    limit: 'network',
    errors: ['session_expired'],
  },
});
