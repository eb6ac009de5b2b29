import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { getRequestListener } from '@hono/node-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { hashChannel, hashPassword, hashQueue } from '#server/credentials/password-hash.ts';
import { limitPasswordWork } from '#server/credentials/password-limits.ts';
import { recoveryCodes } from '#server/database/schema/people.ts';
import { closeHttpServer, createHttpServer } from '#server/http/http-server.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { addAuthenticator, addRecoveryCodes, askForSecondStep } from '#tests/factories/second-step.ts';
import { emptyTables } from '#tests/setup/database.ts';
import { openTestServer, type TestReply, type TestServer } from '#tests/setup/server.ts';

/* Hashing a password occupies a processor core, so one caller must not delay all others. */

const SLOTS = availableParallelism();
const OTHER_NETWORK = '198.51.100.7';
let server: TestServer;
/** The keys of the computed hashes, oldest first. */
const hashed: string[] = [];
const countHash = (key: unknown) => hashed.push(String(key));

beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await emptyTables(server.database.store, ['public.ticket_keys', 'public.secrets', 'sandbox.config']);
  hashed.length = 0;
  hashChannel.subscribe(countHash);
});
afterEach(() => hashChannel.unsubscribe(countHash));

const signIn = (email: string, from = OTHER_NETWORK) =>
  server.request('POST', api.signIn.path, { body: { email, password: PASSWORD }, from });

const refusalOf = (reply: TestReply) => [reply.status, codeOf(reply), reply.headers.get('retry-after')];

/** Occupies every slot, so that all other work waits until `release` is called. */
function occupySlots(): { release(): Promise<void> } {
  const held = Array.from({ length: SLOTS }, () => {
    let end = () => {};
    const done = hashQueue.run({ key: 'holder' }, () => new Promise<void>((resolve) => (end = resolve)));
    return { done, end: () => end() };
  });
  return {
    async release() {
      for (const { end } of held) end();
      await Promise.all(held.map(({ done }) => done));
    },
  };
}

/** Fills the queue with work of as many keys as necessary. */
function fillQueue(): Promise<unknown>[] {
  const waiting: Promise<unknown>[] = [];
  for (let key = 0; ; key += 1) {
    const before = hashQueue.waiting;
    for (let each = 0; each < 16; each += 1) {
      waiting.push(hashQueue.run({ key: `filler ${key}` }, async () => {}).catch(() => {}));
    }
    if (hashQueue.waiting - before < 16) return waiting;
  }
}

async function queued(count: number): Promise<void> {
  await expect.poll(() => hashQueue.waiting, { interval: 5, timeout: 20_000 }).toBe(count);
}

async function customerWithCodes() {
  const customer = await createCustomer(server.context);
  await addAuthenticator(server.context, customer.id);
  return { customer, token: await startSession(server.context, customer.id) };
}

describe('recovery codes', () => {
  test('renewing them forty times concurrently computes no hash and delays no other customer’s sign-in', async () => {
    const victim = await createCustomer(server.context, { password: PASSWORD });
    const { token } = await customerWithCodes();
    hashed.length = 0;
    const renewals = Array.from({ length: 40 }, () =>
      server.request('POST', api.renewRecoveryCodes.path, { token, body: {} }),
    );
    must(await signIn(victim.email));
    const replies = await Promise.all(renewals);
    expect(hashed).toEqual(['198.51.100.0/24']);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });

  test('are refused without any hashing to a customer without a second factor', async () => {
    const customer = await createCustomer(server.context);
    const token = await startSession(server.context, customer.id);
    const reply = await server.request('POST', api.renewRecoveryCodes.path, { token, body: {} });
    expect(refusalOf(reply).slice(0, 2)).toEqual([422, 'second_factor_missing']);
    expect(hashed).toEqual([]);
  });

  test('are stored as signatures that are valid for one account only', async () => {
    const [ada, grace] = await Promise.all([createCustomer(server.context), createCustomer(server.context)]);
    const [code = ''] = await addRecoveryCodes(server.context, ada.id);
    const rows = await server.context.db.select().from(recoveryCodes);
    expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
    await server.context.db
      .insert(recoveryCodes)
      .values(rows.map((row) => ({ ...row, id: `${row.id}x`, customerId: grace.id })));
    expect((await enterCode(grace, code)).status).toBe(422);
    expect((await enterCode(ada, code)).status).toBe(200);
    expect((await enterCode(ada, code)).status).toBe(422);
  });

  test('still work, once each, if an older release stored them as password hashes', async () => {
    const { customer } = await customerWithCodes();
    const code = 'ABCDEFGHIJKLMNOP';
    await server.context.db.insert(recoveryCodes).values({
      id: 'rcv_old',
      customerId: customer.id,
      prefix: code.slice(0, 4),
      codeHash: await hashPassword(code),
    });
    expect((await enterCode(customer, code)).status).toBe(200);
    expect((await enterCode(customer, code)).status).toBe(422);
  });
});

async function enterCode(customer: { id: string }, code: string): Promise<TestReply> {
  await askForSecondStep(server.context, customer.id);
  const token = await startSession(server.context, customer.id);
  return server.request('POST', api.reauthenticate.path, { token, body: { code } });
}

describe('a full queue', () => {
  test('answers 503 with Retry-After and does not count the unchecked guess', async () => {
    const customer = await createCustomer(server.context, { password: PASSWORD });
    const slots = occupySlots();
    const fillers = fillQueue();
    for (let tried = 0; tried < 8; tried += 1) {
      expect(refusalOf(await signIn(customer.email))).toEqual([503, 'server_busy', '2']);
    }
    await slots.release();
    await Promise.all(fillers);
    must(await signIn(customer.email));
  });

  test('accepts work of other customers while one customer’s queue is full', async () => {
    const attacker = await createCustomer(server.context, { password: PASSWORD });
    const token = await startSession(server.context, attacker.id);
    const victim = await createCustomer(server.context, { password: PASSWORD });
    hashed.length = 0;
    const slots = occupySlots();
    const waiting = Array.from({ length: 16 }, () => hashPassword('x', { key: attacker.id }));
    const body = { password: 'correct horse battery staple' };
    const refused = await server.request('POST', api.changePassword.path, { token, body });
    expect(refusalOf(refused)).toEqual([503, 'server_busy', '2']);
    const signedIn = signIn(victim.email);
    await queued(17);
    await slots.release();
    must(await signedIn);
    const turn = hashed.indexOf('198.51.100.0/24');
    expect(turn, 'hashes of the other customer before the sign-in').toBeLessThanOrEqual(SLOTS);
    await Promise.all(waiting);
  });
});

describe('the limits on password work', () => {
  test('apply to a customer who sends only correct passwords', async () => {
    const customer = await createCustomer(server.context, { password: PASSWORD });
    const token = await startSession(server.context, customer.id);
    const change = () =>
      server.request('POST', api.changePassword.path, {
        token,
        body: { password: 'correct horse battery staple' },
        from: OTHER_NETWORK,
      });
    const caller = { account: customer.id, network: null };
    for (let counted = 0; counted < 29; counted += 1) await limitPasswordWork(server.context, caller);
    must(await change());
    expect(refusalOf(await change()).slice(0, 2)).toEqual([429, 'rate_limited']);
    expect(hashed.filter((key) => key === customer.id)).toHaveLength(1);
  });

  test('apply to a network, for every account and even for correct passwords', async () => {
    const customer = await createCustomer(server.context, { password: PASSWORD });
    hashed.length = 0;
    const caller = { network: '198.51.100.0/24' };
    for (let counted = 0; counted < 299; counted += 1) {
      await limitPasswordWork(server.context, { ...caller, account: `customer ${counted}` });
    }
    must(await signIn(customer.email));
    expect(refusalOf(await signIn(customer.email)).slice(0, 2)).toEqual([429, 'rate_limited']);
    must(await signIn(customer.email, '192.0.2.7'));
    expect(hashed).toEqual(['198.51.100.0/24', '192.0.2.0/24']);
  });
});

describe('a caller who disconnects', () => {
  test('causes no further work', async () => {
    const customer = await createCustomer(server.context, { password: PASSWORD });
    hashed.length = 0;
    const http = createHttpServer(getRequestListener(server.app.fetch));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const slots = occupySlots();
    const left = Array.from({ length: 4 }, () => post(http.address() as AddressInfo, customer.email));
    await queued(4);
    for (const each of left) each.destroy();
    await queued(0);
    await slots.release();
    expect(hashed).toEqual([]);
    const stays = post(http.address() as AddressInfo, customer.email);
    const [answer] = (await once(stays, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(200);
    expect(hashed).toHaveLength(1);
    await closeHttpServer(http);
  });
});

/** A sign-in over a separate socket. */
function post({ port }: AddressInfo, email: string) {
  const sent = httpRequest({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: api.signIn.path,
    headers: { host: new URL(server.context.config.origins.portal).host, 'content-type': 'application/json' },
    agent: false,
  });
  sent.on('error', () => {});
  sent.end(JSON.stringify({ email, password: PASSWORD }));
  return sent;
}
