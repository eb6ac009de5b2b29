import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { endSessions } from '#server/identity/sessions.ts';
import { lastCode } from '#tests/factories/account-mails.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { askForCode, countSessions, isAlive, newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function follow(body: unknown) {
  return server.request('POST', api.signInWithLink.path, { body, from: newAddress() });
}

async function mailedLink() {
  const customer = await createCustomer(server.context);
  const temp = await askForCode(server, customer.email);
  return { customer, temp, ...(await lastCode(server.context, customer.email)) };
}

test('The link signs in the browser that follows it, once', async () => {
  const { customer, token } = await mailedLink();
  const reply = await follow({ token });
  expect(reply.status).toBe(200);
  expect(await isAlive(server, reply.body.data.token)).toBe(true);
  expect(refusalOf(await follow({ token }))).toEqual([422, 'link_expired']);
  expect(await countSessions(server, customer.id)).toBe(1);
});

test('Following the link does not sign in the browser that asked for it', async () => {
  const { token, temp, code } = await mailedLink();
  await follow({ token });
  const waiting = await server.request('POST', api.signInWithEmailCode.path, { body: { temp, code } });
  expect(refusalOf(waiting)).toEqual([422, 'attempt_expired']);
});

test('A link followed ten times concurrently starts one session', async () => {
  const { customer, token } = await mailedLink();
  const replies = await Promise.all(Array.from({ length: 10 }, () => follow({ token })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter((reply) => refusalOf(reply)[1] === 'link_expired')).toHaveLength(9);
  expect(await countSessions(server, customer.id)).toBe(1);
});

test('A link and the code of its mail, used concurrently, start one session', async () => {
  const { customer, token, temp, code } = await mailedLink();
  const replies = await Promise.all([
    follow({ token }),
    server.request('POST', api.signInWithEmailCode.path, { body: { temp, code } }),
  ]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await countSessions(server, customer.id)).toBe(1);
});

test('A link is valid for ten minutes', async () => {
  const { token } = await mailedLink();
  server.clock.advance(10 * 60_000);
  expect(refusalOf(await follow({ token }))).toEqual([422, 'link_expired']);
});

test('A link of a revoked sign-in is refused', async () => {
  const { customer, token } = await mailedLink();
  await endSessions(server.context.db, server.context, { customerId: customer.id });
  expect(refusalOf(await follow({ token }))).toEqual([422, 'link_expired']);
});

test('Opening the link without confirming, as mail scanners do, does not use it up', async () => {
  const { customer, token } = await mailedLink();
  for (const method of ['GET', 'HEAD']) {
    for (const path of [api.signInWithLink.path, api.signInWithEmailCode.path]) {
      const reply = await server.request(method, `${path}?token=${token}`);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
  }
  expect(await countSessions(server, customer.id)).toBe(0);
  expect((await follow({ token })).status).toBe(200);
});

test.each([
  ['a guess', 'A'.repeat(43)],
  ['too short', 'abc'],
  ['null', null],
  ['a list', ['A'.repeat(43)]],
  ['a number', 1],
])('A token that was never mailed is refused: %s', async (_, token) => {
  expect((await follow({ token })).status).toBe(422);
});

test('The handle of a challenge is refused as a link, and a link as a handle', async () => {
  const { token, temp, code } = await mailedLink();
  expect(refusalOf(await follow({ token: temp }))).toEqual([422, 'link_expired']);
  const asHandle = await server.request('POST', api.signInWithEmailCode.path, {
    body: { temp: token, code },
  });
  expect(refusalOf(asHandle)).toEqual([422, 'attempt_expired']);
});
