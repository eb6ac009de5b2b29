import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { newId } from '#server/core/ids.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { addStaffPassword, createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let managerId: string;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer();
  ({ id: managerId } = await createStaffMember(server.context, 'manager'));
  ({ headers } = await startStaffSession(server.context, managerId));
});
afterAll(() => server.close());

const of = (path: string, id: string) => fillPath<string>(path, { id });
const send = (method: string, path: string, body?: unknown) =>
  server.request(method, path, { headers, ...(body === undefined ? {} : { body }) });

async function listed(id: string) {
  const rows: { id: string }[] = must(await send('GET', api.listStaffMembers.path));
  return rows.find((row) => row.id === id);
}

test('the list says who works here, in which role, with which factors, and no secret', async () => {
  const { id, email } = await createStaffMember(server.context, 'desk');
  await addStaffPassword(server.context, id);
  expect(await listed(id)).toEqual({
    id,
    name: 'Grace Hopper',
    email,
    role: 'desk',
    state: 'active',
    has_authenticator: true,
    passkeys: 0,
    last_seen_at: null,
  });
});

test('a manager invites someone, who gets a mail at once', async () => {
  const body = { email: 'ada@ferry.example', name: 'Ada Lovelace', role: 'gate' };
  expect((await send('POST', api.inviteStaffMember.path, body)).status).toBe(201);
  expect((await mailsTo(server.context, body.email)).map(({ kind }) => kind)).toEqual(['staff-invitation']);
  expect(server.jobs.asked.at(-1)?.name).toBe('send-mail');
});

test('who works here already is not invited', async () => {
  const { email } = await createStaffMember(server.context, 'desk');
  const body = { email, name: 'Ada Lovelace', role: 'gate' };
  const reply = await send('POST', api.inviteStaffMember.path, body);
  expect(reply.body.errors).toMatchObject([{ code: 'staff_exists', field: 'email' }]);
});

test('a role is changed, and who changed it is in the audit log', async () => {
  const { id } = await createStaffMember(server.context, 'desk');
  must(await send('PATCH', of(api.changeStaffRole.path, id), { role: 'office' }));
  expect(await listed(id)).toMatchObject({ role: 'office' });
  const [entry] = await server.database.store.query(
    `select actor_id as actor, actor_role as role, before, after from audit_log where object_id = '${id}'`,
  );
  expect(entry).toEqual({
    actor: managerId,
    role: 'manager',
    before: { role: 'desk' },
    after: { role: 'office' },
  });
});

test('disabling, resetting and signing out end the sessions of the staff member', async () => {
  for (const [method, path] of [
    ['DELETE', api.disableStaffMember.path],
    ['POST', api.resetStaffMember.path],
    ['DELETE', api.endStaffMemberSessions.path],
  ] as const) {
    const { id } = await createStaffMember(server.context, 'desk');
    const theirs = await startStaffSession(server.context, id);
    must(await send(method, of(path, id)));
    const reply = await server.request('GET', api.getStaffSession.path, { headers: theirs.headers });
    expect([path, reply.status]).toEqual([path, 401]);
  }
});

test('the last manager is neither lowered, disabled nor reset', async () => {
  for (const reply of [
    await send('PATCH', of(api.changeStaffRole.path, managerId), { role: 'gate' }),
    await send('DELETE', of(api.disableStaffMember.path, managerId)),
    await send('POST', of(api.resetStaffMember.path, managerId)),
  ]) {
    expect([reply.status, codeOf(reply)]).toEqual([422, 'last_manager']);
  }
});

test('of two managers who lower each other at the same time one stays', async () => {
  const { id: other } = await createStaffMember(server.context, 'manager');
  const theirs = await startStaffSession(server.context, other);
  const body = { role: 'gate' };
  const replies = await Promise.all([
    send('PATCH', of(api.changeStaffRole.path, other), body),
    server.request('PATCH', of(api.changeStaffRole.path, managerId), { headers: theirs.headers, body }),
  ]);
  const managers = await server.database.store.query(`select id from staff_members where role = 'manager'`);
  expect(managers).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  await server.database.store.query(`update staff_members set role = 'manager' where id = '${managerId}'`);
});

test('what changes rights needs a step-up, and works for ten minutes after one', async () => {
  const manager = await createStaffMember(server.context, 'manager');
  const codeAt = await addStaffPassword(server.context, manager.id);
  const old = await startStaffSession(server.context, manager.id, { isFresh: false });
  const { id } = await createStaffMember(server.context, 'desk');
  const change = () =>
    server.request('PATCH', of(api.changeStaffRole.path, id), {
      headers: old.headers,
      body: { role: 'office' },
    });
  const refused = await change();
  expect([refused.status, refused.body.errors[0]]).toMatchObject([
    403,
    { code: 'step_up_required', details: { methods: ['passkey', 'authenticator'] } },
  ]);
  for (const [method, path] of [
    ['POST', api.inviteStaffMember.path],
    ['DELETE', of(api.disableStaffMember.path, id)],
    ['POST', of(api.resetStaffMember.path, id)],
  ] as const) {
    const body = { email: 'x@ferry.example', name: 'X', role: 'gate' };
    const reply = await server.request(method, path, {
      headers: old.headers,
      ...(path === api.inviteStaffMember.path ? { body } : {}),
    });
    expect([path, codeOf(reply)]).toEqual([path, 'step_up_required']);
  }
  must(
    await server.request('POST', api.stepUpStaff.path, { headers: old.headers, body: { code: codeAt() } }),
  );
  expect((await change()).status).toBe(200);
  server.clock.advance(10 * 60_000);
  expect(codeOf(await change())).toBe('step_up_required');
});

test('an unknown person is not found, and unknown roles are refused', async () => {
  ({ headers } = await startStaffSession(server.context, managerId));
  const unknown = newId('stf');
  expect((await send('DELETE', of(api.endStaffMemberSessions.path, unknown))).status).toBe(404);
  expect((await send('PATCH', of(api.changeStaffRole.path, unknown), { role: 'gate' })).status).toBe(404);
  const body = { email: 'x@ferry.example', name: 'X', role: 'captain' };
  expect(codeOf(await send('POST', api.inviteStaffMember.path, body))).toBe('invalid_input');
});
