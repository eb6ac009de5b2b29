import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { customers } from '#server/database/schema/people.ts';
import { type Client, type Cookie, readCookies } from '#server/http/client.ts';
import type { CustomerRow } from '../customers.ts';

const COOKIE = 'my-known-device';
const MAX_AGE_SECONDS = 365 * 86_400;
const MAX_DEVICES = 3;
/** More than our browsers send; each costs a signature check. */
const MAX_TOKENS_READ = 9;
const TOKEN = /^([\w-]{22})\.([0-9a-z]{1,9})\.([\w-]{43})$/;

type Dependencies = Pick<Context, 'clock' | 'vault'>;
type Customer = Pick<CustomerRow, 'id' | 'passwordChangedAt' | 'devicesForgottenAt'>;
type DeviceToken = { id: string; issued: string; signature: string; text: string };

/**
 * Finds the id of the remember cookie if this browser has signed in to the account before. The cookie is signed for one
 * customer without naming them, is valid for a year, and is invalidated when the password changes or sessions are ended
 * remotely.
 */
export function findKnownDevice(
  context: Dependencies,
  { client, customer }: { client: Pick<Client, 'cookies'>; customer: Customer | null },
): string | null {
  return readDeviceTokens(client).find((token) => belongsToCustomer(context, token, customer))?.id ?? null;
}

/** A cookie that remembers the browser for the customer, in addition to its three newest tokens. */
export function createDeviceCookie(
  context: Dependencies,
  { client, customer }: { client: Pick<Client, 'cookies'>; customer: Customer },
): Cookie {
  const tokens = readDeviceTokens(client);
  const own = tokens.find((token) => belongsToCustomer(context, token, customer));
  const others = tokens.filter((token) => !isSignedFor(context, token, customer.id));
  const id = own?.id ?? randomBytes(16).toString('base64url');
  const issued = getSeconds(context).toString(36);
  const fresh = `${id}.${issued}.${context.vault.sign('known-device', `${customer.id}.${id}.${issued}`)}`;
  const value = [fresh, ...others.map((token) => token.text)].slice(0, MAX_DEVICES).join('~');
  return { name: COOKIE, value, maxAgeSeconds: MAX_AGE_SECONDS };
}

/** Invalidates remembered devices, in the transaction that ends sessions. */
export async function forgetDevices(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  customerId: string,
): Promise<void> {
  await tx.update(customers).set({ devicesForgottenAt: clock.now() }).where(eq(customers.id, customerId));
}

function readDeviceTokens({ cookies }: Pick<Client, 'cookies'>): DeviceToken[] {
  return readCookies(cookies, COOKIE)
    .flatMap((value) => value.split('~', MAX_TOKENS_READ))
    .slice(0, MAX_TOKENS_READ)
    .flatMap((text) => {
      const [, id, issued, signature] = TOKEN.exec(text) ?? [];
      return id && issued && signature ? [{ id, issued, signature, text }] : [];
    });
}

function belongsToCustomer(context: Dependencies, token: DeviceToken, customer: Customer | null): boolean {
  // For an unknown address the same signature check is done.
  const isSigned = isSignedFor(context, token, customer?.id ?? '');
  const { passwordChangedAt, devicesForgottenAt } = customer ?? {};
  const since = Math.max(passwordChangedAt?.getTime() ?? 0, devicesForgottenAt?.getTime() ?? 0) / 1000;
  const issuedAt = Number.parseInt(token.issued, 36);
  const isCurrent = issuedAt >= Math.floor(since) && issuedAt > getSeconds(context) - MAX_AGE_SECONDS;
  return isSigned && isCurrent;
}

function isSignedFor(
  { vault }: Dependencies,
  { id, issued, signature }: DeviceToken,
  customerId: string,
): boolean {
  return vault.verify('known-device', `${customerId}.${id}.${issued}`, signature);
}

function getSeconds({ clock }: Dependencies): number {
  return Math.floor(clock.now().getTime() / 1000);
}
