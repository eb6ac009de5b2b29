import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Context } from 'hono';
import type { Clock } from '../clock.ts';
import type { CustomerRow } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import type { Deps } from '../deps.ts';
import type { ApiEnv } from '../http/api.ts';
import { readCookies, writeCookie } from '../http/cookies.ts';

const COOKIE = 'my-known-device';
const MAX_AGE_SECONDS = 365 * 86_400;
const MAX_MARKS = 3;
/** More than a browser of ours ever sends: each costs a signature to look at. */
const MAX_READ = 9;
const MARK = /^([\w-]{22})\.([0-9a-z]{1,9})\.([\w-]{43})$/;

type Parts = Pick<Deps, 'config' | 'clock' | 'vault'>;
type Owner = Pick<CustomerRow, 'id' | 'passwordChangedAt' | 'devicesForgottenAt'>;
type Mark = { id: string; issuedAt: number; text: string };

/**
 * Whether somebody has signed in to this account with this browser before: the id of its mark. A mark is signed
 * for one customer whom it does not name, lasts a year, and ends with the password it was made under and when
 * sessions are ended from elsewhere.
 */
export function findKnownDevice(c: Context, deps: Parts, owner: Owner | null): string | null {
  return readMarks(c).find((mark) => isMarkOf(deps, mark, owner))?.id ?? null;
}

/** Marks the browser as known to the customer, with the newest three marks it has. */
export function rememberDevice(c: Context<ApiEnv>, deps: Parts, owner: Owner): void {
  const marks = readMarks(c);
  const own = marks.find((mark) => isMarkOf(deps, mark, owner));
  const others = marks.filter((mark) => !isSignedFor(deps, mark, owner.id));
  const id = own?.id ?? randomBytes(16).toString('base64url');
  const issued = seconds(deps).toString(36);
  const fresh = `${id}.${issued}.${deps.vault.sign('known-device', signedText(owner.id, id, issued))}`;
  const value = [fresh, ...others.map((mark) => mark.text)].slice(0, MAX_MARKS).join('~');
  writeCookie(c, deps, { name: COOKIE, value, maxAgeSeconds: MAX_AGE_SECONDS });
}

/** Does what has all browsers of a customer forgotten, after which this one is still known if it was. */
export async function keepDeviceKnown(
  c: Context<ApiEnv>,
  deps: Parts,
  owner: Owner,
  work: () => Promise<void>,
): Promise<void> {
  const isKnown = findKnownDevice(c, deps, owner) !== null;
  await work();
  if (isKnown) rememberDevice(c, deps, owner);
}

/** Has the marks made until now count no more, in the transaction that ends sessions. */
export async function forgetDevices(tx: Database, clock: Clock, customerId: string): Promise<void> {
  await tx.update(customers).set({ devicesForgottenAt: clock.now() }).where(eq(customers.id, customerId));
}

function readMarks(c: Context): Mark[] {
  return readCookies(c, COOKIE)
    .flatMap((value) => value.split('~', MAX_READ))
    .slice(0, MAX_READ)
    .flatMap((text) => {
      const [, id, issued] = MARK.exec(text) ?? [];
      return id && issued ? [{ id, issuedAt: Number.parseInt(issued, 36), text }] : [];
    });
}

function isMarkOf(deps: Parts, mark: Mark, owner: Owner | null): boolean {
  // For nobody's address the same signature is looked at.
  const isSigned = isSignedFor(deps, mark, owner?.id ?? '');
  const { passwordChangedAt, devicesForgottenAt } = owner ?? {};
  const since = Math.max(passwordChangedAt?.getTime() ?? 0, devicesForgottenAt?.getTime() ?? 0) / 1000;
  const isOfAge = mark.issuedAt >= Math.floor(since) && mark.issuedAt > seconds(deps) - MAX_AGE_SECONDS;
  return isSigned && isOfAge;
}

function isSignedFor({ vault }: Parts, { id, text }: Mark, customerId: string): boolean {
  const [, issued = '', signature = ''] = text.split('.');
  return vault.verify('known-device', signedText(customerId, id, issued), signature);
}

function signedText(customerId: string, id: string, issued: string): string {
  return `${customerId}.${id}.${issued}`;
}

function seconds({ clock }: Parts): number {
  return Math.floor(clock.now().getTime() / 1000);
}
