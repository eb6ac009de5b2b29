import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anchorAuditLog, readAnchors } from '#server/audit/anchors.ts';
import { type AuditEntry, recordAudit } from '#server/audit/record-audit.ts';
import { verifyAuditLog } from '#server/audit/verify-audit.ts';
import { auditLogCommand } from '#server/commands/audit-log.ts';
import { executeCommand, settleCommand } from '#server/commands/command.ts';
import { withRequestId } from '#server/core/request-id.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { inspectAuditLog } from '#server/operations/doctor/inspect-audit-log.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let dataDir: string;
beforeEach(async () => {
  server = await openTestServer();
  dataDir = mkdtempSync(join(tmpdir(), 'gangway-audit-'));
});
afterEach(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true });
});

const entry: AuditEntry = {
  actor: { kind: 'command', systemUser: 'ada' },
  action: 'order_refunded',
  objectKind: 'order',
  objectId: 'ord_1',
  before: { status: 'confirmed', refunded: 0, currency: 'EUR' },
  after: { status: 'canceled', refunded: 500, currency: 'EUR' },
  reason: 'Storm',
};

const context = () => ({ ...server.context, config: { ...server.context.config, dataDir } });
const record = (changes: Partial<AuditEntry> = {}) =>
  inTransaction(server.context.db, (tx) => recordAudit(tx, server.context, { ...entry, ...changes }));
const read = () => server.context.db.select().from(auditLog).orderBy(auditLog.seq);
const query = (statement: string) => server.database.store.query(statement);
const verify = async () => verifyAuditLog(server.context.db, await readAnchors({ dataDir }));

/** Changes the log as an owner of the tables can. */
async function tamper(statement: string): Promise<void> {
  await query('alter table audit_log disable trigger user');
  await query(statement);
  await query('alter table audit_log enable trigger user');
}

describe('recordAudit', () => {
  test('stores who did what, and only the fields that changed', async () => {
    await record();
    const [row] = await read();
    expect(row).toMatchObject({
      seq: 1,
      actorKind: 'command',
      actorId: 'ada',
      actorRole: null,
      before: { status: 'confirmed', refunded: 0 },
      after: { status: 'canceled', refunded: 500 },
      reason: 'Storm',
      previousHash: '',
    });
    expect(row?.after).not.toHaveProperty('currency');
  });

  test('stores the role, device and network of staff, and the request', async () => {
    const actor = {
      staffId: 'stf_1',
      role: 'office',
      device: 'Safari on iPad',
      network: '203.0.113.0/24',
    } as const;
    await withRequestId('request-1', () => record({ actor: { kind: 'staff', ...actor } }));
    await record({ actor: { kind: 'server' } });
    const rows = await read();
    expect(rows).toMatchObject([
      {
        actorId: 'stf_1',
        actorRole: 'office',
        device: actor.device,
        network: actor.network,
        requestId: 'request-1',
      },
      { actorKind: 'server', actorId: null, requestId: null },
    ]);
    expect(rows[1]?.previousHash).toBe(rows[0]?.hash);
  });

  test('concurrent transactions leave one chain without gaps', async () => {
    await Promise.all(Array.from({ length: 8 }, () => record()));
    expect((await read()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await verify()).toMatchObject({ problem: null, last: { seq: 8 } });
  });

  test('leaves nothing if the action fails', async () => {
    const failing = inTransaction(server.context.db, async (tx) => {
      await recordAudit(tx, server.context, entry);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(await read()).toEqual([]);
  });
});

test.each([`update audit_log set reason = 'Other'`, 'delete from audit_log', 'truncate audit_log'])(
  'the database refuses %s',
  async (statement) => {
    await record();
    await expect(query(statement)).rejects.toThrow('append-only');
  },
);

describe('verifyAuditLog', () => {
  test.each([
    [`update audit_log set after = '{"refunded":5000,"status":"canceled"}' where seq = 2`, 'changed', 2],
    [`update audit_log set actor_id = 'bob' where seq = 2`, 'changed', 2],
    ['delete from audit_log where seq = 2', 'missing', 2],
    ['delete from audit_log where seq = 1', 'missing', 1],
  ])('notices %s', async (statement, problem, seq) => {
    for (let count = 0; count < 3; count += 1) await record();
    expect((await verify()).problem).toBeNull();
    await tamper(statement);
    expect(await verify()).toMatchObject({ problem, seq });
  });

  test('notices by the anchors that the newest entries are gone, or that the chain was made again', async () => {
    await record();
    await record();
    await anchorAuditLog(context());
    await tamper('delete from audit_log where seq = 2');
    expect(await verify()).toMatchObject({ problem: 'missing', seq: 2 });
    await record({ reason: 'Other' });
    expect(await verify()).toMatchObject({ problem: 'changed', seq: 2 });
  });
});

describe('anchorAuditLog', () => {
  test('writes the newest entry to a file and to the log, and nothing for an empty log', async () => {
    await anchorAuditLog(context());
    expect(await readAnchors({ dataDir })).toEqual([]);
    await record();
    await anchorAuditLog(context());
    const [row] = await read();
    expect(readFileSync(join(dataDir, 'audit-anchors.txt'), 'utf8')).toBe(
      `1 ${row?.hash} ${server.clock.now().toISOString()}\n`,
    );
    expect(JSON.stringify(server.logged)).toContain(String(row?.hash));
  });

  test('reports a broken log instead of anchoring it, as the doctor and the command do', async () => {
    await record();
    const command = (args: string[]) =>
      settleCommand(auditLogCommand, async () =>
        executeCommand(auditLogCommand, context(), await auditLogCommand.read(args)),
      );
    expect(await command(['verify'])).toMatchObject({
      stdout: 'All 1 entries are as recorded.\n',
      exitCode: 0,
    });
    expect(await inspectAuditLog(context())).toEqual([]);
    await tamper(`update audit_log set reason = 'Other'`);
    await anchorAuditLog(context());
    expect(await readAnchors({ dataDir })).toEqual([]);
    expect(JSON.stringify(server.logged)).toContain('audit log not whole');
    expect(await command(['verify'])).toMatchObject({
      stderr: 'Entry 1 of the audit log is changed.\n',
      exitCode: 1,
    });
    expect(await inspectAuditLog(context())).toMatchObject([{ severity: 'error' }]);
  });
});

test('the command lists entries, newest first, also as CSV', async () => {
  await record();
  await record({ actor: { kind: 'server' }, objectId: 'ord_2' });
  const input = await auditLogCommand.read(['list', '--csv']);
  const { stdout } = await executeCommand(auditLogCommand, context(), input);
  const at = server.clock.now().toISOString();
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'entry,at,by,who,name,role,device,network,action,kind,object,before,after,reason',
    expect.stringContaining(`2,${at},server,,,,,,order_refunded,order,ord_2,`),
    `1,${at},command,ada,,,,,order_refunded,order,ord_1,status=confirmed refunded=0,status=canceled refunded=500,Storm`,
  ]);
  expect(() => auditLogCommand.read(['verify', '--csv'])).toThrow('list or verify');
});
