import { apiPaths, fillPath } from '#contract/paths.ts';
import type * as wire from '#contract/sign-in/schemas.ts';
import { call, callVerbatim } from './call.ts';
import type { Verbatim } from './case-conversion.ts';
import type { AccountVerified, Registration, RegistrationStarted, SignIn, SignInOutcome } from './types.ts';

/** Without a password a code and a link are mailed. `startSession(token)` makes a token this browser's. */
export function signIn(credentials: SignIn): Promise<SignInOutcome> {
  return call<wire.SignInOutcome>(apiPaths.signIn, { body: credentials });
}

/** Mails another code and another link; those before are void. */
export function resendCode(temp: string): Promise<SignInOutcome> {
  return call<wire.SignInOutcome>(apiPaths.magicLink, { body: { temp } });
}

export function enterMailedCode(temp: string, code: string): Promise<SignInOutcome> {
  return call<wire.SignInOutcome>(apiPaths.magicLink, { body: { temp, code } });
}

/** Uses the mailed link up. */
export function followMagicLink(token: string): Promise<SignInOutcome> {
  return call<wire.SignInOutcome>(apiPaths.verifyMagicLink, { body: { token } });
}

/** A code of the authenticator, or a recovery code. */
export function enterSecondStep(temp: string, code: string): Promise<SignInOutcome> {
  return call<wire.SignInOutcome>(apiPaths.verifyAuthenticator, { body: { temp, code } });
}

export type PasskeyChallenge = { temp: string; options: Readonly<Record<string, unknown>> };

export async function getPasskeyChallenge(): Promise<PasskeyChallenge> {
  // The options are another standard's: they go to the browser as they came.
  return (await callVerbatim(apiPaths.passkeyChallenge)) as PasskeyChallenge;
}

/** `firstTemp`: the handle of the sign-in this is the second step of. */
export function signInWithPasskey(answer: {
  temp: string;
  response: Verbatim;
  firstTemp?: string;
}): Promise<SignInOutcome> {
  return call<wire.SignInOutcome>(apiPaths.verifyPasskey, { body: answer });
}

/** Null from a server of an earlier release. */
export function register(registration: Registration): Promise<RegistrationStarted | null> {
  return call<wire.RegistrationStarted | null>(apiPaths.register, { body: registration });
}

/** Completes a new account. Answers a session's token only with the `temp` of its registration. */
export function verifyAccount(token: string, temp: string | null): Promise<AccountVerified> {
  const path = fillPath(apiPaths.verifyAccount, { token });
  return call<wire.AccountVerified>(path, temp === null ? { method: 'POST' } : { body: { temp } });
}

export async function askForReset(email: string): Promise<void> {
  await call<null>(apiPaths.resetInstructions, { body: { email } });
}

/** `code` where a refusal with `second_step_required` asked for it; that refusal leaves the link good. */
export async function resetPassword(reset: {
  token: string;
  password: string;
  code?: string;
}): Promise<void> {
  await call<null>(apiPaths.resetPassword, { body: reset });
}

/** Completes a change of address, signed in or not. */
export function verifyEmail(token: string): Promise<{ email: string }> {
  return call<{ email: string }>(apiPaths.verifyChangeEmail, { body: { token } });
}

/** Stops or reverts a change of address; ends every session. */
export function undoEmail(token: string): Promise<{ email: string }> {
  return call<{ email: string }>(apiPaths.undoChangeEmail, { body: { token } });
}
