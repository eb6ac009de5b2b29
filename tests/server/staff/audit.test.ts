import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { AuditEntry } from '#contract/staff/audit/schemas.ts';
import { type AuditEntry as NewEntry, recordAudit } from '#server/audit/record-audit.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let managerId: string;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer();
  ({ id: managerId } = await createStaffMember(server.context, 'manager'));
  ({ headers } = await startStaffSession(server.context, managerId));
  await record({ actor: { kind: 'server' }, objectId: 'ord_1' });
  await record({ actor: { kind: 'command', systemUser: 'ada' }, action: 'trip_card_adjusted' });
  server.clock.advance(3 * 86_400_000);
  ({ headers } = await startStaffSession(server.context, managerId));
  await record({
    actor: {
      kind: 'staff',
      staffId: managerId,
      role: 'manager',
      device: 'Safari on iPad',
      network: '192.0.2.0/24',
    },
    action: 'staff_role_changed',
    objectKind: 'staff',
    objectId: managerId,
    before: { role: 'desk' },
    after: { role: 'manager' },
    reason: '=HYPERLINK("https://bad.example")',
  });
});
afterAll(() => server.close());

const record = (changes: Partial<NewEntry>) =>
  inTransaction(server.context.db, (tx) =>
    recordAudit(tx, server.context, {
      ...{ actor: { kind: 'server' }, action: 'order_refunded', objectKind: 'order', objectId: 'ord_2' },
      ...{ before: {}, after: {}, reason: null },
      ...changes,
    }),
  );

type Filter = [field: string, op: string, value: string];

function queryOf(filters: readonly Filter[]): string {
  const pairs = filters.flatMap(([field, op, value], index) => [
    [`filters[${index}][field]`, field],
    [`filters[${index}][op]`, op],
    [`filters[${index}][value]`, value],
  ]);
  return `?${new URLSearchParams(pairs)}`;
}

const get = (path: string, ...filters: Filter[]) =>
  server.request('GET', `${path}${queryOf(filters)}`, { headers });
async function listed(...filters: Filter[]): Promise<number[]> {
  const entries: AuditEntry[] = must(await get(api.listAuditEntries.path, ...filters));
  return entries.map(({ seq }) => seq);
}

test('the list has the newest entry first, with the names of people as they are now', async () => {
  const reply = await get(api.listAuditEntries.path);
  expect(reply.body.meta).toEqual({ page: 1, page_size: 50, total_pages: 1, total_count: 3 });
  const [newest, command] = must(reply) as AuditEntry[];
  expect(newest).toMatchObject({
    seq: 3,
    actor: { kind: 'staff', id: managerId, name: 'Grace Hopper', role: 'manager', device: 'Safari on iPad' },
    action: 'staff_role_changed',
    object: { kind: 'staff', id: managerId, label: 'Grace Hopper', currency: null },
    changes: [{ field: 'role', before: 'desk', after: 'manager' }],
  });
  expect(command).toMatchObject({
    actor: { kind: 'command', id: 'ada', name: null },
    object: { label: null },
  });
});

test('the list is filtered by person, action and time', async () => {
  const day = new Date(server.clock.now().getTime() - 86_400_000).toISOString();
  expect(await listed(['actor_id', '==', managerId])).toEqual([3]);
  expect(await listed(['actor_kind', '==', 'server'])).toEqual([1]);
  expect(await listed(['action', '==', 'trip_card_adjusted'])).toEqual([2]);
  expect(await listed(['at', '<', day])).toEqual([2, 1]);
  expect(await listed(['at', '>=', day], ['actor_kind', '==', 'command'])).toEqual([]);
});

test.each<Filter>([
  ['hash', '==', 'x'],
  ['action', '==', 'unknown'],
  ['at', '==', 'today'],
])('a filter by %s %s %s is refused', async (...filter) => {
  for (const path of [api.listAuditEntries.path, api.exportAuditLog.path]) {
    const reply = await get(path, filter);
    expect([reply.status, codeOf(reply)]).toEqual([422, 'invalid_input']);
  }
});

test('the export needs a step-up, and records nothing without one', async () => {
  const other = await createStaffMember(server.context, 'manager');
  const old = await startStaffSession(server.context, other.id, { isFresh: false });
  const before = await server.context.db.$count(auditLog);
  const reply = await server.request('GET', api.exportAuditLog.path, { headers: old.headers });
  expect([reply.status, codeOf(reply)]).toEqual([403, 'step_up_required']);
  expect(await server.context.db.$count(auditLog)).toBe(before);
});

test('the export has the entries that match, runs no formula, and is itself recorded', async () => {
  const reply = await get(api.exportAuditLog.path, ['actor_id', '==', managerId]);
  expect(reply.headers.get('content-type')).toContain('text/csv');
  expect(reply.headers.get('content-disposition')).toMatch(/filename="audit-log-\d{4}-\d{2}-\d{2}\.csv"/);
  const lines = reply.body.split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('role=desk,role=manager,"\'=HYPERLINK');
  const [newest]: AuditEntry[] = must(await get(api.listAuditEntries.path));
  expect(newest).toMatchObject({
    actor: { id: managerId },
    action: 'audit_exported',
    changes: [
      { field: 'entries', after: 1 },
      { field: 'filters', after: `actor_id == ${managerId}` },
    ],
  });
});

test('a call that the role does not allow is recorded once a minute for each person and call', async () => {
  const { id } = await createStaffMember(server.context, 'gate');
  const theirs = await startStaffSession(server.context, id);
  const attempt = async (path: string) => {
    const reply = await server.request('GET', path, { headers: theirs.headers });
    expect([reply.status, codeOf(reply)]).toEqual([403, 'not_permitted']);
  };
  await Promise.all([attempt(api.listAuditEntries.path), attempt(api.listAuditEntries.path)]);
  await attempt(api.listStaffMembers.path);
  expect(await listed(['actor_id', '==', id])).toHaveLength(2);
  server.clock.advance(61_000);
  await attempt(api.listAuditEntries.path);
  const entries: AuditEntry[] = must(await get(api.listAuditEntries.path, ['actor_id', '==', id]));
  expect(entries).toHaveLength(3);
  expect(entries[0]).toMatchObject({
    action: 'call_refused',
    actor: { role: 'gate' },
    object: { kind: 'call', id: `GET ${api.listAuditEntries.path}` },
  });
});
