import { expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { api } from '#contract/api.ts';
import { newNetworkAddress, request } from '#tests/process/http-client.ts';
import { buyTicket, publishableKeyOf, type Send, sailingsOf } from '#tests/process/shopper.ts';
import { ORIGINS, PORT } from './addresses.ts';
import { type Mail, mailsTo, newAddress, type Reply, send } from './fixtures.ts';

/** A customer with an account. */
export type Person = { name: string; email: string; password: string };

export const PASSWORD = 'lantern orbit walnut seven';
export const OTHER_PASSWORD = 'pebble harvest cinema nine';

/** Opens an account as the sign-up screen does, without the screen. */
export async function openAccount(name: string): Promise<Person> {
  const person: Person = { name, email: newAddress(name.toLowerCase()), password: PASSWORD };
  const settings = await ask('GET', '/api/settings/web');
  const { terms } = settings.body.data as { terms: { version: string } };
  await ask('POST', '/api/customers/register', { body: { ...person, terms_version: terms.version } });
  const link = linkIn(await mailAbout(person.email, /Confirm your email address/));
  await ask('POST', `/api/customers/verify/${new URL(link).pathname.split('/').at(-1)}`);
  return person;
}

/** Signs in without the screens, as this browser. */
export async function signInQuietly(page: Page, { email, password }: Person): Promise<void> {
  const userAgent = await page.evaluate(() => navigator.userAgent);
  const reply = await ask('POST', '/api/customers/sessions/sign_in', {
    body: { email, password },
    headers: { origin: ORIGINS.portal, 'user-agent': userAgent },
  });
  const { token } = reply.body.data as { token: string };
  const set = [...(reply.headers['set-cookie'] ?? []), `my-session=${token}`];
  const cookies = set.map((line) => ({
    name: line.slice(0, line.indexOf('=')),
    value: line.slice(line.indexOf('=') + 1).split(';', 1)[0] ?? '',
    domain: '.ferry.localhost',
    path: '/',
    httpOnly: !line.startsWith('my-session='),
    sameSite: 'Lax' as const,
  }));
  await page.context().addCookies(cookies);
}

/** Sells an adult a ticket of the Saver fare in about a week, without the screens. @returns the order's reference */
export async function buyQuietly(contact: { name: string; email: string }): Promise<string> {
  const sendTo: Send = (path, options) => request(PORT, path, options);
  const [sailing = ''] = await sailingsOf(sendTo);
  const publishableKey = await publishableKeyOf(sendTo);
  const { reference } = await buyTicket(sendTo, { sailing, publishableKey, fareClass: 'saver', ...contact });
  return reference ?? '';
}

/** A trip card of this person, without the screen. */
export async function giveTripCard({ email, password }: Person, name: string): Promise<void> {
  const signedIn = await ask('POST', api.signIn.path, { body: { email, password } });
  const { token } = signedIn.body.data as { token: string };
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() };
  await ask('POST', api.addTripCard.path, { headers, body: { name } });
}

/** Turns on two-step sign-in with an authenticator; answers it and the recovery codes. */
export async function addAuthenticator({ email, password }: Person) {
  const signedIn = await ask('POST', '/api/customers/sessions/sign_in', { body: { email, password } });
  const headers = { authorization: `Bearer ${(signedIn.body.data as { token: string }).token}` };
  const begun = await ask('POST', '/api/customers/authenticator', { headers });
  const authenticator = new Authenticator((begun.body.data as { secret: string }).secret);
  const body = { code: await authenticator.nextCode() };
  const confirmed = await ask('POST', '/api/customers/authenticator/confirm', { headers, body });
  const { recovery_codes } = confirmed.body.data as { recovery_codes: string[] };
  return { authenticator, recoveryCodes: recovery_codes };
}

/** An authenticator app. A code is taken once, and a step early or late: so several are at hand without waiting. */
export class Authenticator {
  readonly #totp: TOTP;
  #lastStep = 0;

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) });
  }

  async nextCode(): Promise<string> {
    const stepAt = (seconds: number) => Math.floor((Date.now() / 1000 + seconds) / STEP_SECONDS);
    // The server may look at it some seconds from now, when the step before is too old.
    const oldest = () => Math.max(this.#lastStep + 1, stepAt(5) - 1);
    await expect.poll(() => oldest() <= stepAt(0) + 1, { timeout: 40_000 }).toBe(true);
    this.#lastStep = oldest();
    return this.#totp.generate({ timestamp: this.#lastStep * STEP_SECONDS * 1000 });
  }
}

const STEP_SECONDS = 30;

/** The newest mail to an address whose subject matches, and that is not among the `earlier` ones. */
export async function mailAbout(
  address: string,
  subject: RegExp,
  earlier: readonly Mail[] = [],
): Promise<Mail> {
  const seen = new Set(earlier.map(({ id }) => id));
  let found: Mail | undefined;
  await expect
    .poll(
      async () => {
        found = (await mailsTo(address)).find((mail) => subject.test(mail.subject) && !seen.has(mail.id));
        return found !== undefined;
      },
      { message: `mail about ${subject} arrives at ${address}`, timeout: 20_000, intervals: [100] },
    )
    .toBe(true);
  if (found === undefined) throw new Error('No such mail.');
  return found;
}

/** The link of a mail that carries a secret. */
export function linkIn(mail: Mail): string {
  const link = /https?:\/\/\S+(#token=|\/account\/verify\/)[\w-]{43}/.exec(mail.text)?.[0];
  if (link === undefined) throw new Error(`No link in “${mail.subject}”.`);
  return link;
}

export function codeIn(mail: Mail): string {
  const code = /\b\d{6}\b/.exec(mail.subject)?.[0];
  if (code === undefined) throw new Error(`No code in “${mail.subject}”.`);
  return code;
}

/** A call of a client other than a browser, each from another network. */
export async function ask(
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const headers = { 'x-forwarded-for': newNetworkAddress(), ...options.headers };
  const reply = await send(ORIGINS.portal, method, path, { ...options, headers });
  if (reply.status >= 500) throw new Error(`${method} ${path} answered ${reply.status}.`);
  return reply;
}
