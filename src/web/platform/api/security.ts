import type { PageMeta } from '#contract/common.ts';
import { apiPaths, fillPath } from '#contract/paths.ts';
import type * as security from '#contract/security/schemas.ts';
import type * as signIn from '#contract/sign-in/schemas.ts';
import { call, callList } from './call.ts';
import { type CamelCased, Verbatim } from './case-conversion.ts';
import type { Passkey, SecurityEvent, SecurityOverview, SignedInDevice, SignInOutcome } from './types.ts';

type Signal = { signal?: AbortSignal | undefined };

/** A password takes the server a while to hash, more so when many sign in. */
const HASHING_TIMEOUT = 20_000;

export function getSecurity({ signal }: Signal = {}): Promise<SecurityOverview> {
  return call<security.SecurityOverview>(apiPaths.security, { signal });
}

export function changePassword(password: string): Promise<unknown> {
  return call(apiPaths.changePassword, { body: { password }, timeoutMs: HASHING_TIMEOUT });
}

export function listPasskeys({ signal }: Signal = {}): Promise<Passkey[]> {
  return call<security.Passkey[]>(apiPaths.passkeys, { signal });
}

export type PasskeyChallenge = { temp: string; options: Record<string, unknown> };

/** What the browser needs to make a passkey. */
export function beginPasskey(): Promise<PasskeyChallenge> {
  return call<{ temp: string; options: Record<string, unknown> }>(apiPaths.newPasskeyChallenge, {
    method: 'POST',
    body: {},
  });
}

/** `response` as the browser gave it. */
export function addPasskey(temp: string, response: unknown): Promise<Passkey> {
  return call<security.Passkey>(apiPaths.passkeys, { body: { temp, response: new Verbatim(response) } });
}

export function renamePasskey(id: string, name: string): Promise<Passkey> {
  return call<security.Passkey>(fillPath(apiPaths.passkey, { id }), { method: 'PATCH', body: { name } });
}

export function removePasskey(id: string): Promise<unknown> {
  return call(fillPath(apiPaths.passkey, { id }), { method: 'DELETE' });
}

export type AuthenticatorSetup = CamelCased<security.AuthenticatorSetup>;

export function beginAuthenticator(): Promise<AuthenticatorSetup> {
  return call<security.AuthenticatorSetup>(apiPaths.authenticator, { method: 'POST', body: {} });
}

/** Answers ten recovery codes, which can be read this once. */
export async function confirmAuthenticator(code: string): Promise<string[]> {
  const { recoveryCodes } = await call<WireCodes>(apiPaths.confirmAuthenticator, {
    body: { code },
    timeoutMs: HASHING_TIMEOUT,
  });
  return recoveryCodes;
}

export function removeAuthenticator(): Promise<unknown> {
  return call(apiPaths.authenticator, { method: 'DELETE' });
}

export async function makeRecoveryCodes(): Promise<string[]> {
  const { recoveryCodes } = await call<WireCodes>(apiPaths.recoveryCodes, {
    method: 'POST',
    body: {},
    timeoutMs: HASHING_TIMEOUT,
  });
  return recoveryCodes;
}

export function listSessions({ signal }: Signal = {}): Promise<SignedInDevice[]> {
  return call<security.SignedInDevice[]>(apiPaths.sessions, { signal });
}

export function endSession(id: string): Promise<unknown> {
  return call(fillPath(apiPaths.session, { id }), { method: 'DELETE' });
}

export function endOtherSessions(): Promise<unknown> {
  return call(apiPaths.sessions, { method: 'DELETE' });
}

export type SecurityEventsPage = { data: SecurityEvent[]; meta: CamelCased<PageMeta> | null };

export function listSecurityEvents(page: number, { signal }: Signal = {}): Promise<SecurityEventsPage> {
  return callList<security.SecurityEvent[]>(apiPaths.securityEvents, { page, signal });
}

export type Proof =
  | { password: string }
  | { code: string }
  | { temp: string; code: string }
  | { temp: string; response: Verbatim }
  | { send: 'email_code' };

/** Shows that it is the owner. Answers the token that goes on, or for `send` where the mailed code is to go. */
export function reauthenticate(proof: Proof): Promise<SignInOutcome> {
  return call<signIn.SignInOutcome>(apiPaths.reauthenticate, { body: proof, timeoutMs: HASHING_TIMEOUT });
}

type WireCodes = { recovery_codes: string[] };
