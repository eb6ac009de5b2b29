import type { PageMeta } from '#contract/common.ts';
import * as endpoints from '#contract/security/endpoints.ts';
import type * as security from '#contract/security/schemas.ts';
import * as signIn from '#contract/sign-in/endpoints.ts';
import { type CamelCased, Verbatim } from './case-conversion.ts';
import { request, requestPage } from './request.ts';
import type { Passkey, SecurityEvent, SecurityOverview, SignedInDevice, SignInOutcome } from './types.ts';

type Signal = { signal?: AbortSignal | undefined };

/** A password takes the server a while to hash, more so when many sign in. */
const HASHING_TIMEOUT = 20_000;

export function getSecurity({ signal }: Signal = {}): Promise<SecurityOverview> {
  return request(endpoints.getSecurity, { signal });
}

export function changePassword(password: string): Promise<unknown> {
  return request(endpoints.changePassword, { body: { password }, timeoutMs: HASHING_TIMEOUT });
}

export function listPasskeys({ signal }: Signal = {}): Promise<Passkey[]> {
  return request(endpoints.listPasskeys, { signal });
}

export type PasskeyChallenge = { temp: string; options: Record<string, unknown> };

/** What the browser needs to make a passkey. */
export function beginPasskey(): Promise<PasskeyChallenge> {
  return request(endpoints.createPasskeyChallenge);
}

/** `response` as the browser gave it. */
export function addPasskey(temp: string, response: unknown): Promise<Passkey> {
  return request(endpoints.addPasskey, { body: { temp, response: new Verbatim(response) } });
}

export function renamePasskey(id: string, name: string): Promise<Passkey> {
  return request(endpoints.renamePasskey, { params: { id }, body: { name } });
}

export function removePasskey(id: string): Promise<unknown> {
  return request(endpoints.removePasskey, { params: { id } });
}

export type AuthenticatorSetup = CamelCased<security.AuthenticatorSetup>;

export function beginAuthenticator(): Promise<AuthenticatorSetup> {
  return request(endpoints.setUpAuthenticator, {});
}

/** Answers ten recovery codes, which can be read this once. */
export async function confirmAuthenticator(code: string): Promise<string[]> {
  const { recoveryCodes } = await request(endpoints.confirmAuthenticator, {
    body: { code },
    timeoutMs: HASHING_TIMEOUT,
  });
  return recoveryCodes;
}

export function removeAuthenticator(): Promise<unknown> {
  return request(endpoints.removeAuthenticator);
}

export async function makeRecoveryCodes(): Promise<string[]> {
  const { recoveryCodes } = await request(endpoints.renewRecoveryCodes, {
    timeoutMs: HASHING_TIMEOUT,
  });
  return recoveryCodes;
}

export function listSessions({ signal }: Signal = {}): Promise<SignedInDevice[]> {
  return request(endpoints.listSessions, { signal });
}

export function endSession(id: string): Promise<unknown> {
  return request(endpoints.endSession, { params: { id } });
}

export function endOtherSessions(): Promise<unknown> {
  return request(endpoints.endOtherSessions);
}

export type SecurityEventsPage = { data: SecurityEvent[]; meta: CamelCased<PageMeta> | null };

export function listSecurityEvents(page: number, { signal }: Signal = {}): Promise<SecurityEventsPage> {
  return requestPage(endpoints.listSecurityEvents, { page, signal });
}

export type Proof =
  | { password: string }
  | { code: string }
  | { temp: string; code: string }
  | { temp: string; response: Verbatim }
  | { send: 'email_code' };

/** Shows that it is the owner. Answers the token that goes on, or for `send` where the mailed code is to go. */
export function reauthenticate(proof: Proof): Promise<SignInOutcome> {
  return request(signIn.reauthenticate, { body: proof, timeoutMs: HASHING_TIMEOUT });
}
