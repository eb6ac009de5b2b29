import { afterAll, beforeAll, expect, test } from 'vitest';
import { executeCommand } from '#server/commands/command.ts';
import { staffCommand } from '#server/commands/staff.ts';
import { ensureDemoStaff } from '#server/demo/demo-staff.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function run(...args: string[]) {
  return executeCommand(staffCommand, server.context, await staffCommand.read(args));
}

test('the demo’s people have codes to print, and a real person has none', async () => {
  await ensureDemoStaff(server.context);
  expect((await run('code', 'gate@harborline.example')).stdout).toMatch(/^\d{6}\n$/);
  const { email } = await createStaffMember(server.context);
  expect((await run('code', email)).stdout).toContain('Only the demo’s people');
});

test('without a mail server the link of an invitation is printed', async () => {
  const { stdout } = await run('invite', 'ada@ferry.example', 'gate', '--name', 'Ada Lovelace');
  expect(stdout).toMatch(/\/invitation#token=[\w-]{43}\n$/);
  expect((await run('list')).stdout).toMatch(/ada@ferry\.example +Ada Lovelace +gate +invited/);
  const config = { ...server.context.config, smtpUrl: 'smtp://mail.example' };
  const input = await staffCommand.read(['invite', 'bob@ferry.example', 'desk']);
  const sent = await executeCommand(staffCommand, { ...server.context, config }, input);
  expect(sent.stdout).not.toContain('#token=');
});

test('roles, sessions and access are changed by address', async () => {
  const { id, email } = await createStaffMember(server.context, 'gate');
  await startStaffSession(server.context, id);
  expect((await run('role', email, 'office')).stdout).toBe(`${email} has the role office.\n`);
  expect((await run('end-sessions', email)).stdout).toContain('signed out');
  expect((await run('reset', email)).stdout).toContain('#token=');
  expect((await run('disable', email)).stdout).toContain('can no longer sign in');
  expect((await run('list')).stdout).toMatch(new RegExp(`${email} +.* +office +disabled`));
});

test('the last manager is neither disabled nor lowered', async () => {
  await server.database.store.query(`update staff_members set role = 'gate'`);
  const { email } = await createStaffMember(server.context, 'manager');
  for (const args of [
    ['disable', email],
    ['role', email, 'gate'],
  ]) {
    expect(await run(...args)).toMatchObject({
      exitCode: 1,
      stderr: 'There must be another manager first.\n',
    });
  }
});

test.each([
  [[], 'Name what to do'],
  [['fly', 'ada@ferry.example'], 'Name what to do'],
  [['invite', 'ada@ferry.example'], 'Name one role'],
  [['invite', 'ada@ferry.example', 'captain'], 'Name one role'],
  [['disable'], 'Name one e-mail address'],
  [['disable', 'ada'], 'Name one e-mail address'],
])('%j is refused with the usage', async (args, text) => {
  await expect(async () => staffCommand.read(args)).rejects.toThrow(text);
});

test('an unknown address is refused', async () => {
  expect(await run('disable', 'unknown@ferry.example')).toMatchObject({ exitCode: 1 });
});
