import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { gateDevices, staffMembers } from '#server/database/schema/staff.ts';
import { deleteOldGateDevices } from '#server/gate-devices/devices.ts';
import { deleteOldStaffSessions } from '#server/staff/sessions.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { emptyTables } from '#tests/setup/database.ts';
import { openTestServer, type TestReply, type TestServer } from '#tests/setup/server.ts';

const NOW = '2026-06-01T15:00:00.000Z';
const PIN = '482913';
let server: TestServer;
let manager: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ now: NOW });
});
afterAll(() => server.close());
beforeEach(async () => {
  await emptyTables(server.database.store, ['public.ticket_keys', 'public.secrets', 'sandbox.config']);
  server.clock.set(NOW);
  ({ headers: manager } = await signIn('manager'));
});

async function signIn(role: StaffRole, options: { isFresh?: boolean } = {}) {
  const { id } = await createStaffMember(server.context, role);
  return { id, ...(await startStaffSession(server.context, id, options)) };
}

const call = (name: keyof typeof api & string, { body, headers = manager, id = '' }: Partial<Sent> = {}) =>
  server.request(api[name].method, fillPath(api[name].path as '/x/{id}', { id }), {
    headers,
    ...(body === undefined ? {} : { body }),
  });
type Sent = { body: unknown; headers: Record<string, string>; id: string };

const add = async (name = 'Ramp 1') => must(await call('addGateDevice', { body: { name } }));
const tokenOf = ({ link }: { link: string }) => link.split('#token=')[1] ?? '';
const pair = (token: string) => call('pairGateDevice', { body: { token }, headers: {} });
const cookieOf = (reply: TestReply) => (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** A paired device, and the header with its key. */
async function pairDevice(name?: string) {
  const added = await add(name);
  const cookie = cookieOf(await pair(tokenOf(added)));
  return { id: String(added.id), cookie };
}

async function setPin(role: StaffRole = 'gate'): Promise<string> {
  const { id, headers } = await signIn(role);
  must(await call('setShiftPin', { body: { pin: PIN }, headers }));
  return id;
}

const startShift = (staffId: string, cookie: string, pin = PIN) =>
  call('startShift', { body: { staff_id: staffId, pin }, headers: { cookie } });

describe('pairing', () => {
  test('gives the device that opens the link its own key, once', async () => {
    const added = await add();
    expect(added.link).toMatch(/^http:\/\/staff\.ferry\.localhost\S*\/gate\/pair#token=[\w-]{43}$/);
    const reply = await pair(tokenOf(added));
    expect(must(reply)).toEqual({ name: 'Ramp 1', staff: [] });
    expect(reply.headers.get('set-cookie')).toMatch(/gate-device=[\w-]{43};.*HttpOnly; SameSite=Strict/);
    expect(codeOf(await pair(tokenOf(added)))).toBe('link_expired');
    expect(must(await call('getGateDevice', { headers: { cookie: cookieOf(reply) } }))).toMatchObject({
      name: 'Ramp 1',
    });
  });

  test('is possible for ten minutes', async () => {
    const added = await add();
    server.clock.advance(10 * 60_000);
    expect(codeOf(await pair(tokenOf(added)))).toBe('link_expired');
    expect(must(await call('listGateDevices'))).toEqual([]);
  });

  test('needs a step-up, a name and the right role', async () => {
    const tired = await signIn('manager', { isFresh: false });
    const body = { name: 'Ramp 1' };
    expect(codeOf(await call('addGateDevice', { body, headers: tired.headers }))).toBe('step_up_required');
    expect(codeOf(await call('addGateDevice', { body, headers: (await signIn('gate')).headers }))).toBe(
      'not_permitted',
    );
    expect((await call('addGateDevice', { body: { name: ' ' } })).status).toBe(422);
  });

  test('stores neither the link nor the key', async () => {
    const added = await add();
    const reply = await pair(tokenOf(added));
    const [row] = await server.context.db.select().from(gateDevices);
    const text = JSON.stringify(row);
    for (const secret of [tokenOf(added), cookieOf(reply).split('=')[1] ?? '?']) {
      expect(text).not.toContain(secret);
    }
  });

  test('of any other browser is null', async () => {
    expect(must(await call('getGateDevice', { headers: {} }))).toBeNull();
  });
});

describe('a shift', () => {
  test('starts with a PIN at a paired device, with the rights of the gate only', async () => {
    const { cookie } = await pairDevice();
    const staffId = await setPin('manager');
    const device = must(await call('getGateDevice', { headers: { cookie } }));
    expect(device.staff).toEqual([{ id: staffId, name: 'Grace Hopper' }]);
    const reply = await startShift(staffId, cookie);
    expect(must(reply)).toMatchObject({ staff: { id: staffId, role: 'gate' } });
    const headers = { cookie: cookieOf(reply) };
    expect((await call('listGatePorts', { headers })).status).toBe(200);
    expect(must(await call('getStaffSession', { headers })).staff.role).toBe('gate');
    expect(codeOf(await call('listGateDevices', { headers }))).toBe('not_permitted');
    expect(must(await call('listGateDevices'))).toMatchObject([{ name: 'Ramp 1', staff: 'Grace Hopper' }]);
  });

  test('needs the key of a paired device', async () => {
    const staffId = await setPin();
    expect(codeOf(await startShift(staffId, ''))).toBe('device_revoked');
    expect(codeOf(await startShift(staffId, 'gate-device=AAAA'))).toBe('device_revoked');
  });

  test('does not start with a wrong PIN, and not at all after five of them', async () => {
    const { cookie } = await pairDevice();
    const staffId = await setPin();
    for (let tries = 0; tries < 5; tries += 1) {
      expect(codeOf(await startShift(staffId, cookie, '000001'))).toBe('wrong_pin');
    }
    const locked = await startShift(staffId, cookie);
    expect([locked.status, codeOf(locked)]).toEqual([429, 'rate_limited']);
    server.clock.advance(15 * 60_000);
    must(await startShift(staffId, cookie));
  });

  test.each<[string, Partial<typeof staffMembers.$inferInsert>]>([
    ['whose role does not check tickets', { role: 'desk' }],
    ['who was disabled', { disabledAt: new Date(NOW) }],
    ['without a PIN', { shiftPinHash: null }],
  ])('is not for a person %s', async (_, changes) => {
    const { cookie } = await pairDevice();
    const staffId = await setPin();
    await server.context.db.update(staffMembers).set(changes).where(eq(staffMembers.id, staffId));
    expect(must(await call('getGateDevice', { headers: { cookie } })).staff).toEqual([]);
    expect((await startShift(staffId, cookie)).status).toBe(422);
  });
});

describe('a PIN', () => {
  test.each(['111111', '123456', '654321', '000000'])('that is guessed first is refused: %s', async (pin) => {
    expect(codeOf(await call('setShiftPin', { body: { pin } }))).toBe('weak_pin');
  });

  test.each(['12345', '1234567', '48291a', ''])('has six digits: "%s" is refused', async (pin) => {
    expect((await call('setShiftPin', { body: { pin } })).status).toBe(422);
  });

  test('needs a step-up, and is stored as a hash', async () => {
    const { headers } = await signIn('gate', { isFresh: false });
    expect(codeOf(await call('setShiftPin', { body: { pin: PIN }, headers }))).toBe('step_up_required');
    const id = await setPin();
    const [row] = await server.context.db.select().from(staffMembers).where(eq(staffMembers.id, id));
    expect(row?.shiftPinHash).not.toContain(PIN);
  });
});

describe('a revoked device', () => {
  test('has no shift any more, and cannot start one', async () => {
    const { id, cookie } = await pairDevice();
    const staffId = await setPin();
    const headers = { cookie: cookieOf(await startShift(staffId, cookie)) };
    must(await call('revokeGateDevice', { id }));
    expect((await call('listGatePorts', { headers })).status).toBe(401);
    expect(codeOf(await startShift(staffId, cookie))).toBe('device_revoked');
    expect(must(await call('getGateDevice', { headers: { cookie } }))).toBeNull();
    expect(must(await call('listGateDevices'))).toEqual([]);
  });

  test('cannot be revoked again, and others stay', async () => {
    const [one, two] = [await pairDevice('Ramp 1'), await pairDevice('Ramp 2')];
    must(await call('revokeGateDevice', { id: one.id }));
    expect((await call('revokeGateDevice', { id: one.id })).status).toBe(404);
    expect(must(await call('listGateDevices'))).toMatchObject([{ id: two.id, name: 'Ramp 2' }]);
  });

  test('is deleted a month later, with its ended shifts, and others stay', async () => {
    const [one, two] = [await pairDevice('Ramp 1'), await pairDevice('Ramp 2')];
    const added = await add('Never paired');
    await startShift(await setPin(), one.cookie);
    must(await call('revokeGateDevice', { id: one.id }));
    const listIds = async () => (await server.context.db.select().from(gateDevices)).map(({ id }) => id);
    const later = new Date(server.clock.now().getTime() + 31 * 24 * 3_600_000);
    await deleteOldGateDevices(server.context.db, later);
    expect((await listIds()).toSorted()).toEqual([one.id, two.id].toSorted());
    expect(await listIds()).not.toContain(added.id);
    await deleteOldStaffSessions(server.context.db, later);
    await deleteOldGateDevices(server.context.db, later);
    expect(await listIds()).toEqual([two.id]);
  });

  test('is in the audit log with who added and revoked it', async () => {
    const { id } = await pairDevice();
    must(await call('revokeGateDevice', { id }));
    expect(await server.context.db.select().from(auditLog)).toMatchObject([
      { action: 'gate_device_added', objectId: id, actorRole: 'manager', after: { name: 'Ramp 1' } },
      { action: 'gate_device_revoked', objectId: id, before: { name: 'Ramp 1' } },
    ]);
  });
});
