import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Clock } from '../core/clock.ts';
import type { CustomerRow } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import type { HttpContext } from '../http/api.ts';
import { readCookies, writeCookie } from '../http/cookies.ts';

const COOKIE = 'my-known-device';
const MAX_AGE_SECONDS = 365 * 86_400;
const MAX_DEVICES = 3;
/** More than our browsers send; each costs a signature check. */
const MAX_TOKENS_READ = 9;
const TOKEN = /^([\w-]{22})\.([0-9a-z]{1,9})\.([\w-]{43})$/;

type Dependencies = Pick<Context, 'config' | 'clock' | 'vault'>;
type Owner = Pick<CustomerRow, 'id' | 'passwordChangedAt' | 'devicesForgottenAt'>;
type DeviceToken = { id: string; issuedAt: number; text: string };

/**
 * Finds the id of the remember cookie if this browser has signed in to the account before. The cookie is signed for one
 * customer without naming them, is valid for a year, and is invalidated when the password changes or sessions are ended
 * remotely.
 */
export function findKnownDevice(c: HttpContext, context: Dependencies, owner: Owner | null): string | null {
  return readDeviceTokens(c).find((token) => isTokenOf(context, token, owner))?.id ?? null;
}

/** Remembers the browser for the customer, in addition to its three newest cookies. */
export function rememberDevice(c: HttpContext, context: Dependencies, owner: Owner): void {
  const tokens = readDeviceTokens(c);
  const own = tokens.find((token) => isTokenOf(context, token, owner));
  const others = tokens.filter((token) => !isSignedFor(context, token, owner.id));
  const id = own?.id ?? randomBytes(16).toString('base64url');
  const issued = seconds(context).toString(36);
  const fresh = `${id}.${issued}.${context.vault.sign('known-device', signedText(owner.id, id, issued))}`;
  const value = [fresh, ...others.map((token) => token.text)].slice(0, MAX_DEVICES).join('~');
  writeCookie(c, context, { name: COOKIE, value, maxAgeSeconds: MAX_AGE_SECONDS });
}

/** Runs work that invalidates all remembered browsers of a customer, and remembers this one again if it was. */
export async function keepDeviceKnown(
  c: HttpContext,
  context: Dependencies,
  owner: Owner,
  work: () => Promise<void>,
): Promise<void> {
  const isKnown = findKnownDevice(c, context, owner) !== null;
  await work();
  if (isKnown) rememberDevice(c, context, owner);
}

/** Invalidates remembered devices, in the transaction that ends sessions. */
export async function forgetDevices(tx: Database, clock: Clock, customerId: string): Promise<void> {
  await tx.update(customers).set({ devicesForgottenAt: clock.now() }).where(eq(customers.id, customerId));
}

function readDeviceTokens(c: HttpContext): DeviceToken[] {
  return readCookies(c, COOKIE)
    .flatMap((value) => value.split('~', MAX_TOKENS_READ))
    .slice(0, MAX_TOKENS_READ)
    .flatMap((text) => {
      const [, id, issued] = TOKEN.exec(text) ?? [];
      return id && issued ? [{ id, issuedAt: Number.parseInt(issued, 36), text }] : [];
    });
}

function isTokenOf(context: Dependencies, token: DeviceToken, owner: Owner | null): boolean {
  // For an unknown address the same signature check is done.
  const isSigned = isSignedFor(context, token, owner?.id ?? '');
  const { passwordChangedAt, devicesForgottenAt } = owner ?? {};
  const since = Math.max(passwordChangedAt?.getTime() ?? 0, devicesForgottenAt?.getTime() ?? 0) / 1000;
  const isCurrent =
    token.issuedAt >= Math.floor(since) && token.issuedAt > seconds(context) - MAX_AGE_SECONDS;
  return isSigned && isCurrent;
}

function isSignedFor({ vault }: Dependencies, { id, text }: DeviceToken, customerId: string): boolean {
  const [, issued = '', signature = ''] = text.split('.');
  return vault.verify('known-device', signedText(customerId, id, issued), signature);
}

function signedText(customerId: string, id: string, issued: string): string {
  return `${customerId}.${id}.${issued}`;
}

function seconds({ clock }: Dependencies): number {
  return Math.floor(clock.now().getTime() / 1000);
}
