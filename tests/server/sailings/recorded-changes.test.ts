import { userInfo } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice({ passengers: 4 });
});
afterAll(() => office.close());

async function run(...args: string[]): Promise<string> {
  const { stdout } = await settleCommand(sailingsCommand, async () =>
    executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args)),
  );
  return stdout;
}

test('a delay, a longer one and its end are in the audit log of the voyage', async () => {
  const sailing = office.ferry.outward[0] ?? '';
  await run('delay', sailing, '20', '--reason', 'weather');
  office.clock.advance(60_000);
  await run('delay', sailing, '40', '--reason', 'weather');
  const [, line = ''] = (await run('exceptions', '--csv')).trim().split('\n');
  await run('undo', line.split(',')[0] ?? '');
  const entries = await office.context.db.select().from(auditLog).orderBy(auditLog.seq);
  const common = { actorKind: 'command', actorId: userInfo().username, objectKind: 'voyage' };
  expect(entries).toMatchObject([
    { ...common, action: 'sailing_delayed', before: {}, after: { minutes: 20, cause: 'weather' } },
    { ...common, action: 'sailing_delayed', before: { minutes: 20 }, after: { minutes: 40 } },
    { ...common, action: 'sailing_change_undone', before: { change: 'sailing_delayed', minutes: 40 } },
  ]);
  expect(new Set(entries.map(({ objectId }) => objectId)).size).toBe(1);
});

test('a change that is refused is not recorded', async () => {
  const before = await office.context.db.$count(auditLog);
  await run('cancel', 'sal_unknown');
  expect(await office.context.db.$count(auditLog)).toBe(before);
});
