import * as registration from '#contract/registration/endpoints.ts';
import * as endpoints from '#contract/sign-in/endpoints.ts';
import type { Verbatim } from './case-conversion.ts';
import { request, requestVerbatim } from './request.ts';
import type { AccountVerified, Registration, RegistrationStarted, SignIn, SignInOutcome } from './types.ts';

/** Without a password a code and a link are mailed. `startSession(token)` makes a token this browser's. */
export function signIn(credentials: SignIn): Promise<SignInOutcome> {
  return request(endpoints.signIn, { body: credentials });
}

/** Mails another code and another link; those before are void. */
export function resendCode(temp: string): Promise<SignInOutcome> {
  return request(endpoints.signInWithEmailCode, { body: { temp } });
}

export function enterMailedCode(temp: string, code: string): Promise<SignInOutcome> {
  return request(endpoints.signInWithEmailCode, { body: { temp, code } });
}

/** Uses the mailed link up. */
export function followMagicLink(token: string): Promise<SignInOutcome> {
  return request(endpoints.signInWithLink, { body: { token } });
}

/** A code of the authenticator, or a recovery code. */
export function enterSecondStep(temp: string, code: string): Promise<SignInOutcome> {
  return request(endpoints.verifySecondStep, { body: { temp, code } });
}

export type PasskeyChallenge = { temp: string; options: Readonly<Record<string, unknown>> };

export async function getPasskeyChallenge(): Promise<PasskeyChallenge> {
  // The options are another standard's: they go to the browser as they came.
  return (await requestVerbatim(endpoints.getPasskeyChallenge)) as PasskeyChallenge;
}

/** `firstTemp`: the handle of the sign-in this is the second step of. */
export function signInWithPasskey(answer: {
  temp: string;
  response: Verbatim;
  firstTemp?: string;
}): Promise<SignInOutcome> {
  return request(endpoints.signInWithPasskey, { body: answer });
}

/** Null from a server of an earlier release. */
export function register(details: Registration): Promise<RegistrationStarted | null> {
  return request(registration.register, { body: details });
}

/** Completes a new account. Answers a session's token only with the `temp` of its registration. */
export function verifyAccount(token: string, temp: string | null): Promise<AccountVerified> {
  return request(registration.verifyAccount, {
    params: { token },
    ...(temp === null ? {} : { body: { temp } }),
  });
}

export async function askForReset(email: string): Promise<void> {
  await request(registration.sendResetInstructions, { body: { email } });
}

/** `code` where a refusal with `second_step_required` asked for it; that refusal leaves the link good. */
export async function resetPassword(reset: {
  token: string;
  password: string;
  code?: string;
}): Promise<void> {
  await request(registration.resetPassword, { body: reset });
}

/** Completes a change of address, signed in or not. */
export function verifyEmail(token: string): Promise<{ email: string }> {
  return request(registration.verifyEmailChange, { body: { token } });
}

/** Stops or reverts a change of address; ends every session. */
export function undoEmail(token: string): Promise<{ email: string }> {
  return request(registration.undoEmailChange, { body: { token } });
}
