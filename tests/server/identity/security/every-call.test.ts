import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call } from '#contract/endpoint.ts';
import { securityCalls } from '#contract/identity/security/schemas.ts';
import { newId } from '#server/core/ids.ts';
import { refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { openOwner } from './owner.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** A path of the contract with an unknown id. */
function fill(path: string): string {
  return path.replace('{id}', newId(path.includes('passkeys') ? 'pky' : 'ses'));
}

const calls = Object.values<Call>(securityCalls).map(({ method, path, ...rest }) => ({
  call: `${method} ${path}`,
  method,
  path,
  ...rest,
}));

/** Bodies that pass the schemas of their calls, so that requests reach the check of the step-up. */
const BODIES: Record<string, unknown> = {
  'POST /api/customers/password': { password: 'unrelated words stand here' },
  'POST /api/customers/passkeys': {
    temp: 'a'.repeat(60),
    response: { id: 'a', rawId: 'a', type: 'public-key', response: {} },
  },
  'PATCH /api/customers/passkeys/{id}': { name: 'My phone' },
  'POST /api/customers/authenticator/confirm': { code: '123456' },
};

test.each(calls)('$call requires a session', async ({ call, method, path }) => {
  const reply = await server.request(method, fill(path), { body: BODIES[call] });
  expect(refusalOf(reply)).toEqual([401, 'unauthenticated']);
  const dead = await server.request(method, fill(path), {
    body: BODIES[call],
    token: `gw_${'A'.repeat(43)}`,
  });
  expect(refusalOf(dead)).toEqual([401, 'session_expired']);
});

test.each(calls.filter(({ errors = [] }) => errors.includes('step_up_required')))(
  '$call requires a recent step-up',
  async ({ call, method, path }) => {
    const owner = await openOwner(server, { password: 'a long enough password' }, { isFresh: false });
    const reply = await owner.call(method, fill(path), BODIES[call]);
    expect(refusalOf(reply)).toEqual([403, 'step_up_required']);
    expect(reply.body.errors[0].details).toEqual({ methods: ['password'] });
  },
);

test.each(calls.filter(({ body }) => body !== undefined))(
  '$call refuses an empty, oversized or invalid body',
  async ({ call, method, path }) => {
    const owner = await openOwner(server);
    const good = BODIES[call] as Record<string, unknown>;
    const [field = ''] = Object.keys(good);
    for (const body of [
      {},
      [],
      null,
      'text',
      { ...good, role: 'admin' },
      { ...good, [field]: null },
      { ...good, [field]: [good[field]] },
      { ...good, [field]: 7 },
      { ...good, [field]: '' },
    ]) {
      const reply = await owner.call(method, fill(path), body);
      expect([400, 422], JSON.stringify(body)).toContain(reply.status);
    }
  },
);
