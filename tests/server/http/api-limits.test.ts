import type { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import { createApp } from '#server/app.ts';
import type { ApiEnv } from '#server/http/api.ts';
import { API_LIMITS } from '#server/http/api-limits.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { openTestServer, type RequestOptions, type TestServer } from '#tests/setup/server.ts';

const NOWHERE = '/api/nowhere';
const OWN = api.getDetails.path;
let server: TestServer;

beforeEach(async () => {
  server = await openTestServer({ now: '2026-06-01T15:00:20.000Z', isLimited: true });
});
afterEach(() => server.close());

describe('the general limits', () => {
  it('refuse a network’s calls above the limit of a minute, and say when it ends', async () => {
    expect(await countAllowed(NOWHERE)).toBe(API_LIMITS.network);
    const refused = await server.request('GET', NOWHERE);
    expect(refused.status).toBe(429);
    expect(refused.body.errors[0].code).toBe('rate_limited');
    expect(refused.headers.get('retry-after')).toBe('40');
    expect((await server.request('GET', NOWHERE, { from: '203.0.113.250' })).status).toBe(429);
    expect((await server.request('GET', NOWHERE, { from: '203.0.114.7' })).status).toBe(404);
    server.clock.advance(40_000);
    expect((await server.request('GET', NOWHERE)).status).toBe(404);
  });

  it('are low for anonymous calls about accounts, and separate from all others', async () => {
    expect(await countAllowed(OWN)).toBe(API_LIMITS.accounts);
    expect((await server.request('POST', api.signIn.path, { body: {} })).status).toBe(429);
    expect((await server.request('GET', NOWHERE)).status).toBe(404);
    expect((await server.request('GET', api.pingSession.path)).status).toBe(200);
  });

  it('count signed-in calls per session, regardless of their network', async () => {
    const token = await signIn();
    expect((await server.request('GET', OWN, { token })).status).toBe(200);
    expect(await countAllowed(OWN)).toBe(API_LIMITS.accounts);
    expect(await countAllowed(OWN, { token })).toBe(API_LIMITS.session);
    expect((await server.request('GET', OWN, { token, from: '198.51.100.1' })).status).toBe(429);
    server.clock.advance(60_000);
    expect((await server.request('GET', OWN, { token })).status).toBe(200);
  });

  it('do not accept an invented token as a session', async () => {
    let allowed = 0;
    for (let index = 0; index < API_LIMITS.accounts + 5; index += 1) {
      const token = `gw_${String(index).padStart(43, 'x')}`;
      if ((await server.request('GET', OWN, { token })).status === 401) allowed += 1;
    }
    expect(allowed).toBe(API_LIMITS.accounts);
  });

  it('do not count pings, settings, webhooks and calls from this machine', async () => {
    await countAllowed(NOWHERE);
    expect((await server.request('GET', api.ping.path)).status).toBe(200);
    expect((await server.request('GET', '/api/settings/web')).status).not.toBe(429);
    expect((await server.request('POST', api.receiveProviderEvent.path, { body: {} })).status).toBe(400);
    for (const from of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(await countAllowed(NOWHERE, { from })).toBe(API_LIMITS.network + 20);
    }
  });

  it('count callers with an address of this machine behind a trusted proxy', async () => {
    const config = { ...server.context.config, proxyHops: 1 };
    const app = createApp({ ...server.context, config });
    const ask = async (forwarded: string | null, from = '127.0.0.1') => {
      const headers = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
      const request = new Request(`${config.origins.tickets}${NOWHERE}`, { headers });
      return (await app.fetch(request, { incoming: { socket: { remoteAddress: from } } })).status;
    };
    const statuses = [];
    for (let sent = 0; sent <= API_LIMITS.network; sent += 1) {
      // The caller can write any value before the proxy's own entry, which is an address of this machine.
      statuses.push(await ask(`10.0.${sent % 256}.1, 127.0.0.1`));
    }
    expect(statuses.indexOf(429)).toBe(API_LIMITS.network);
    expect(await ask(null), 'a request without the header').toBe(429);
    expect(await ask('not an address'), 'a header without an address').toBe(429);
    expect(await ask('127.0.0.1, 203.0.113.9'), 'another caller').toBe(404);
  });

  it('apply across processes, with a tolerance of fifteen requests each', async () => {
    const { context, settle } = watched();
    const [one, two] = [createApp(context), createApp(context)];
    let allowed = 0;
    for (let turn = 0; turn < API_LIMITS.network; turn += 1) {
      for (const app of [one, two]) if ((await ask(app)) === 404) allowed += 1;
      await settle();
    }
    expect(allowed).toBeGreaterThanOrEqual(API_LIMITS.network);
    expect(allowed).toBeLessThanOrEqual(API_LIMITS.network + 2 * 15);
  });

  it('need one statement for fifteen requests, and none when they refuse', async () => {
    const { context, settle, statements } = watched();
    const app = createApp(context);
    for (let index = 0; index < API_LIMITS.network + 50; index += 1) await ask(app);
    await settle();
    expect(statements()).toBe(API_LIMITS.network / 15);
    const rows = await server.database.store.query<{ hits: number }>('select * from rate_limits');
    expect(rows.map(({ hits }) => hits)).toEqual([API_LIMITS.network]);
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
  });

  it('count per process while the database is unavailable', async () => {
    const app = createApp(watched(() => Promise.reject(new Error('away'))).context);
    let allowed = 0;
    for (let index = 0; index < API_LIMITS.network + 20; index += 1) {
      if ((await ask(app)) === 404) allowed += 1;
    }
    expect(allowed).toBe(API_LIMITS.network);
  });
});

/** Sends twenty requests more than the limit, and returns how many were allowed. */
async function countAllowed(path: string, options: RequestOptions = {}): Promise<number> {
  const most = Math.max(API_LIMITS.session, path === OWN ? 0 : API_LIMITS.network);
  let allowed = 0;
  for (let index = 0; index < most + 20; index += 1) {
    if ((await server.request('GET', path, options)).status !== 429) allowed += 1;
  }
  return allowed;
}

async function ask(app: Hono<ApiEnv>): Promise<number> {
  const { tickets } = server.context.config.origins;
  const request = new Request(tickets + NOWHERE, { headers: { host: new URL(tickets).host } });
  const reply = await app.fetch(request, { incoming: { socket: { remoteAddress: '203.0.113.7' } } });
  return reply.status;
}

async function signIn(): Promise<string> {
  const { id } = await createCustomer(server.context);
  return startSession(server.context, id);
}

/** The server's context with a database that counts its statements and reports when they have ended. */
function watched(execute?: () => Promise<never>) {
  const asked: Promise<unknown>[] = [];
  const { db } = server.context;
  const watching = (statement: Parameters<typeof db.execute>[0]) => {
    const answer = execute ? execute() : Promise.resolve(db.execute(statement));
    asked.push(answer.catch(() => {}));
    return answer;
  };
  return {
    context: {
      ...server.context,
      db: new Proxy(db, {
        get: (of, name) => (name === 'execute' ? watching : Reflect.get(of, name)),
      }),
    },
    settle: () => Promise.all(asked),
    statements: () => asked.length,
  };
}
