import { TOTP } from 'otpauth';
import { api } from '#contract/api.ts';
import type { Context } from '#server/context.ts';
import { newAuthenticatorSecret } from '#server/credentials/authenticator-codes.ts';
import { authenticators } from '#server/database/schema/people.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { termsVersion } from '#tests/factories/buyer.ts';
import { PASSWORD } from '#tests/factories/customers.ts';
import { newAddress } from '#tests/factories/sign-in.ts';
import type { TestReply, TestServer } from '#tests/setup/server.ts';

export const NEW_PASSWORD = 'kelp lantern drifts northward';
/** A well-formed secret of no existing link. */
export const STRANGE_TOKEN = 'x'.repeat(43);

let mailboxes = 0;

/** An address no other test writes to. */
export function newMailbox(): string {
  mailboxes += 1;
  return `box${mailboxes}@example.com`;
}

/** The secret of the link in the latest mail of a kind to an address. */
export async function tokenMailedTo(
  { context }: Pick<TestServer, 'context'>,
  email: string,
  kind: string,
): Promise<string> {
  const mail = (await mailsTo(context, email)).findLast((each) => each.kind === kind);
  const [, token] = /(?:#token=|\/verify\/)([\w-]{43})$/.exec(mail?.data.link ?? '') ?? [];
  if (!token) throw new Error(`No link of ${kind} was mailed to ${email}.`);
  return token;
}

export async function kindsMailedTo(
  { context }: Pick<TestServer, 'context'>,
  email: string,
): Promise<string[]> {
  return (await mailsTo(context, email)).map(({ kind }) => kind);
}

/** A second passes first, so that the mails of a mailbox have an order. */
export function register(
  server: Pick<TestServer, 'request' | 'clock'>,
  changes: Record<string, unknown> = {},
  from = newAddress(),
): Promise<TestReply> {
  server.clock.advance(1000);
  const body = {
    name: 'Grace Hopper',
    email: 'grace@example.com',
    password: PASSWORD,
    terms_version: termsVersion,
    ...changes,
  };
  return server.request('POST', api.register.path, { body, from });
}

/** A second passes first, so that the mails of a mailbox have an order. */
export function askForReset(
  server: Pick<TestServer, 'request' | 'clock'>,
  email: string,
  from = newAddress(),
): Promise<TestReply> {
  server.clock.advance(1000);
  return server.request('POST', api.sendResetInstructions.path, { body: { email }, from });
}

export function signIn(server: Pick<TestServer, 'request'>, email: string, password: string) {
  return server.request('POST', api.signIn.path, { body: { email, password }, from: newAddress() });
}

/** A confirmed authenticator of a customer, and the code it shows. */
export async function giveAuthenticator(
  { db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>,
  customerId: string,
): Promise<() => string> {
  const secret = newAuthenticatorSecret();
  const now = clock.now();
  await db.insert(authenticators).values({
    customerId,
    encryptedSecret: vault.encrypt(secret),
    confirmedAt: now,
    insertedAt: now,
  });
  return () => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
}

/** A response without its id and secrets, for comparison. */
export function tellTales({ status, body: answer, headers }: TestReply): unknown {
  const body = JSON.stringify(answer).replaceAll(/"[\w-]{43}"/g, '"a secret"');
  return { status, body, headers: [...headers.keys()].filter((name) => name !== 'x-request-id').toSorted() };
}
