import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { API_LIMITS } from '#server/http/api-limits.ts';
import { retentionRules } from '#server/register-jobs.ts';
import { applyRetention } from '#server/retention.ts';
import { createStaffMember, staffCookie, startStaffSession } from '#tests/factories/staff.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const HOUR = 3_600_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function signIn() {
  const member = await createStaffMember(server.context);
  return { member, ...(await startStaffSession(server.context, member.id)) };
}

const read = (headers: Record<string, string>) =>
  server.request('GET', api.getStaffSession.path, { headers });

test('the cookie of a staff member’s session says who is signed in and until when', async () => {
  const { member, headers } = await signIn();
  const reply = await read(headers);
  expect([reply.status, reply.body.data]).toEqual([
    200,
    {
      staff: { id: member.id, name: member.name, email: member.email, role: member.role },
      expires_at: new Date(server.clock.now().getTime() + 12 * HOUR).toISOString(),
    },
  ]);
});

test('a request without a cookie, or with an unknown token, is not signed in', async () => {
  expect((await read({})).body.errors[0].code).toBe('unauthenticated');
  for (const token of ['gst_unknown', `gst_${'A'.repeat(43)}`, '%00', "' or 1=1 --", 'x'.repeat(5000)]) {
    const reply = await read({ cookie: staffCookie(token) });
    expect([token, reply.status, reply.body.errors[0].code]).toEqual([token, 401, 'session_expired']);
  }
});

test('a session ends after twelve hours, also while it is used', async () => {
  const { headers } = await signIn();
  server.clock.advance(12 * HOUR - 1);
  expect((await read(headers)).status).toBe(200);
  server.clock.advance(1);
  expect((await read(headers)).body.errors[0].code).toBe('session_expired');
});

test('signing out ends only this session, and removes its cookie', async () => {
  const { member, headers } = await signIn();
  const other = await startStaffSession(server.context, member.id);
  const reply = await server.request('DELETE', api.endStaffSession.path, { headers });
  expect(reply.status).toBe(200);
  expect(reply.headers.getSetCookie()).toEqual([
    'my-staff-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
  ]);
  expect((await read(headers)).status).toBe(401);
  expect((await read(other.headers)).status).toBe(200);
});

test('signing out on all devices ends every session of the staff member, and none of another', async () => {
  const { member, headers } = await signIn();
  const other = await startStaffSession(server.context, member.id);
  const colleague = await signIn();
  await server.request('DELETE', api.endStaffSessions.path, { headers });
  expect((await read(headers)).status).toBe(401);
  expect((await read(other.headers)).status).toBe(401);
  expect((await read(colleague.headers)).status).toBe(200);
});

test('over HTTPS only a cookie that browsers accept from no other host is read', async () => {
  const { token } = await signIn();
  const config = readConfig({ PUBLIC_SCHEME: 'https', PARENT_DOMAIN: 'ferry.example' });
  const app = createApp({ ...server.context, config });
  const send = (method: string, cookie: string) =>
    app.request(config.origins.staff + api.getStaffSession.path, { method, headers: { cookie } });
  expect((await send('GET', staffCookie(token))).status).toBe(401);
  expect((await send('GET', `__Host-${staffCookie(token)}`)).status).toBe(200);
  const ended = await send('DELETE', `__Host-${staffCookie(token)}`);
  expect(ended.headers.getSetCookie()).toEqual([
    '__Host-my-staff-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
  ]);
});

test('neither the database nor the log contains the token', async () => {
  server.logged.length = 0;
  const { token, headers } = await signIn();
  await read(headers);
  const rows = await server.database.store.query('select * from staff_sessions');
  expect(server.logged).toHaveLength(1);
  expect(JSON.stringify([rows, server.logged])).not.toContain(token.slice(4));
});

test('requests of a signed-in staff member do not count for the network', async () => {
  const limited = await openTestServer({ isLimited: true });
  const member = await createStaffMember(limited.context);
  const { headers } = await startStaffSession(limited.context, member.id);
  const ask = (more: Record<string, string>) =>
    limited.request('GET', api.getStaffSession.path, { headers: more });
  for (let count = 0; count < API_LIMITS.accounts; count += 1) expect((await ask({})).status).toBe(401);
  expect((await ask({})).status).toBe(429);
  limited.clock.advance(60_000);
  for (let count = 0; count <= API_LIMITS.accounts; count += 1) expect((await ask(headers)).status).toBe(200);
  await limited.close();
});

test('retention deletes sessions a month after their end', async () => {
  const { headers } = await signIn();
  await server.request('DELETE', api.endStaffSession.path, { headers });
  await signIn();
  const count = () => server.database.store.query('select id from staff_sessions');
  await applyRetention(server.context, retentionRules);
  expect(await count()).not.toEqual([]);
  server.clock.advance(31 * 24 * HOUR);
  await applyRetention(server.context, retentionRules);
  expect(await count()).toEqual([]);
});
