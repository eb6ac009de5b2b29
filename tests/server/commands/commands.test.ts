import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readArguments, settleCommand } from '#server/commands/command.ts';
import { commands } from '#server/commands/commands.ts';
import { DATABASE_UNAVAILABLE } from '#server/database/unavailable.ts';

it('every command with an npm script can be sent to the running server', async () => {
  const scripts = globSync('src/server/**/*.ts').filter((file) =>
    /^if \(import\.meta\.main\) await runCommand\(/m.test(readFileSync(file, 'utf8')),
  );
  expect(scripts.length).toBeGreaterThan(2);
  for (const file of scripts) {
    const exported = Object.values<unknown>(await import(`../../../${file}`));
    expect(
      exported.some((each) => commands.some((command) => command === each)),
      file,
    ).toBe(true);
  }
});

it('says which option is unknown, and that the database cannot be reached', async () => {
  const fail = (error: () => Promise<never> | never) =>
    settleCommand({ usage: 'Usage' }, async () => error());
  const unknown = await fail(() => {
    readArguments(['--all'], {});
    throw new Error('The option was accepted.');
  });
  expect(unknown.stderr).toBe("Unknown option '--all'.\n\nUsage");
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect((await fail(() => Promise.reject(refused))).stderr).toBe(`${DATABASE_UNAVAILABLE}\n`);
});

it.each([
  ['28P01', 'password authentication failed for user "gangway"'],
  ['3D000', 'database "gangway" does not exist'],
  ['42501', 'permission denied for schema public'],
])('says in a sentence why the database refuses (%s)', async (code, reason) => {
  const refused = new Error('Failed query', { cause: Object.assign(new Error(reason), { code }) });
  const { stderr } = await settleCommand({ usage: 'Usage' }, () => Promise.reject(refused));
  expect(stderr).toBe(
    `The database refuses this: ${reason}. Check DATABASE_URL and the rights of its user.\n`,
  );
});

it('no two commands have the same name', () => {
  const names = commands.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
