import { afterAll, beforeAll, expect, test } from 'vitest';
import { api, calls } from '#contract/api.ts';
import { getSessionKind } from '#contract/endpoint.ts';
import { HOSTS, listHostsOf, sessionCookies } from '#contract/hosts.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import type { RequestOptions } from '#tests/setup/server.ts';

/* Rules that apply to every call of the contract, including future ones. */

const DAY = 86_400_000;
let office: Office;
let token: string;
let customerId: string;
let staff: Awaited<ReturnType<typeof startStaffSession>>;
beforeAll(async () => {
  office = await openOffice();
  ({ id: customerId } = await createCustomer(office.context));
  // Without a step-up, so that the call that deletes the account is refused.
  token = await startSession(office.context, customerId, { isFresh: false });
  staff = await startStaffSession(office.context, (await createStaffMember(office.context)).id);
});
afterAll(() => office.close());

const writes = calls.filter(({ method }) => method !== 'GET');
const withBody = calls.filter(({ body }) => body !== undefined);
const forCustomers = calls.filter(({ auth }) => auth === 'session');
const forStaff = calls.filter(({ auth }) => auth === 'staff');
/** A Cookie header with a token under every name that a session's cookie may have. */
const everyCookie = (text: string) =>
  Object.values(sessionCookies)
    .flatMap(({ name }) => [name, `my-${name}`, `__Host-my-${name}`])
    .map((name) => `${name}=${text}`)
    .join('; ');
const fill = (path: string) => path.replace(/\{\w+\}/g, 'ord_00000000000000000000000000');
const codes = (reply: { body: { errors: { code: string }[] } }) => reply.body.errors.map(({ code }) => code);

test('the test finds calls of every kind', () => {
  for (const list of [writes, withBody, forCustomers, forStaff]) expect(list.length).toBeGreaterThan(2);
});

test.each(writes)('$method $path is refused for pages of other sites', async ({ method, path }) => {
  for (const origin of ['null', 'http://evil.test', office.context.config.origins.pay]) {
    const reply = await office.request(method, fill(path), { headers: { origin }, token, body: {} });
    expect([origin, reply.status, codes(reply)]).toEqual([origin, 403, ['forbidden_origin']]);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test.each(withBody)('$method $path refuses a form with any content type', async ({ method, path }) => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ]) {
    const reply = await office.request(method, fill(path), {
      body: '{}',
      token,
      headers: { ...staff.headers, 'content-type': type },
      idempotencyKey: crypto.randomUUID(),
    });
    expect([type, reply.status, codes(reply)]).toEqual([type, 415, ['unsupported_media_type']]);
  }
});

test.each(calls)('$method $path allows nothing in the preflight of another site', async ({ path }) => {
  const reply = await office.request('OPTIONS', fill(path), {
    headers: {
      origin: 'http://tickets.ferry.localhost.evil.test',
      'access-control-request-method': 'POST',
    },
  });
  expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test.each(forCustomers)('$method $path refuses every token that is not valid', async ({ method, path }) => {
  const ask = (options: { token?: string; headers?: Record<string, string> }, query = '') =>
    office.request(method, `${fill(path)}${query}`, {
      ...(method === 'GET' ? {} : { body: {} }),
      ...options,
    });
  const ended = await startSession(office.context, customerId);
  must(await office.request('DELETE', api.signOut.path, { token: ended }));
  const answers = {
    none: await ask({}),
    cookie: await ask({ headers: { cookie: `my-session=${token}; session=${token}` } }),
    query: await ask({}, `?token=${token}&access_token=${token}`),
    'another scheme': await ask({ headers: { authorization: `Basic ${token}` } }),
    ended: await ask({ token: ended }),
    unknown: await ask({ token: `gw_${'A'.repeat(43)}` }),
    'in capitals': await ask({ token: token.toUpperCase() }),
  };
  for (const [name, reply] of Object.entries(answers)) expect([name, reply.status]).toEqual([name, 401]);
  expect((await ask({ token })).status).not.toBe(401);
});

test.each(forCustomers)('$method $path refuses an expired session', async ({ method, path }) => {
  const own = await startSession(office.context, customerId);
  const before = office.clock.now().toISOString();
  office.clock.advance(91 * DAY);
  const reply = await office.request(method, fill(path), {
    token: own,
    ...(method === 'GET' ? {} : { body: {} }),
  });
  office.clock.set(before);
  expect([reply.status, codes(reply)]).toEqual([401, ['session_expired']]);
});

test.each(forCustomers)('$method $path refuses the session of a staff member', async ({ method, path }) => {
  const ask = (options: RequestOptions) =>
    office.request(method, fill(path), { ...(method === 'GET' ? {} : { body: {} }), ...options });
  for (const options of [
    { headers: staff.headers },
    { token: staff.token },
    { token: staff.token, headers: { cookie: everyCookie(staff.token) } },
  ]) {
    expect((await ask(options)).status).toBe(401);
  }
});

test.each(forStaff)(
  '$method $path refuses the session of a customer, and every other token',
  async (call) => {
    const ask = (options: RequestOptions) => office.request(call.method, fill(call.path), options);
    const member = await createStaffMember(office.context);
    const own = await startStaffSession(office.context, member.id);
    for (const options of [
      {},
      { token },
      { token, headers: { cookie: everyCookie(token) } },
      { headers: { cookie: everyCookie('gst_unknown') } },
      // The cookie is the only place where it is read.
      { token: own.token },
    ]) {
      expect((await ask(options)).status).toBe(401);
    }
    expect((await ask({ headers: own.headers })).status).not.toBe(401);
  },
);

test.each(writes)('$method $path is for pages of the hosts with its kind of session', async (call) => {
  const { origins } = office.context.config;
  const own = listHostsOf(getSessionKind(call));
  for (const host of HOSTS) {
    const reply = await office.request(call.method, fill(call.path), {
      headers: { origin: origins[host] },
      body: {},
    });
    const isRefused = codes(reply).includes('forbidden_origin');
    expect([host, isRefused]).toEqual([host, !own.includes(host)]);
  }
});

test('none of these requests stored anything', async () => {
  for (const table of ['orders', 'holds', 'payments', 'mails', 'provider_events', 'idempotency_keys']) {
    expect([table, await office.count(table)]).toEqual([table, 0]);
  }
});
