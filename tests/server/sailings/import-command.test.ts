import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { lockFolder } from '#server/database/folder-lock.ts';
import { zipFeed } from '#server/sailings/feed/feed-files.ts';
import { buildFeed } from '#tests/factories/timetable.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gangway-import-'));
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['src/server/sailings/import-command.ts', ...args],
    {
      encoding: 'utf8',
      env: { DATA_DIR: join(folder, 'data'), ...(database.url ? { DATABASE_URL: database.url } : {}) },
    },
  );
  return { status, stdout, stderr };
}

function writeZip(name: string, changes: Record<string, string | null> = {}): string {
  const file = join(folder, name);
  writeFileSync(file, zipFeed(buildFeed(changes)));
  return file;
}

describe('npm run import', () => {
  it('imports an archive and reports what changed', () => {
    const { status, stdout } = run(writeZip('good.zip'), '--today', '2026-06-01', '--days', '7');
    expect(stdout).toContain('2 ports, 2 routes. Sailings: 32 added, 0 changed');
    expect(status).toBe(0);
  });

  it('lists every problem with its file and line, and fails', () => {
    const { status, stderr } = run(writeZip('bad.zip', { 'operator.csv': 'currency\nx\n' }));
    expect(stderr).toBe(
      'There is 1 problem; nothing was done.\n' +
        'operator.csv:2 currency: "x" is not a currency\'s three letters.\n',
    );
    expect(status).toBe(1);
  });

  it.each([
    [[], 'Name one folder or zip archive.'],
    [['a', 'b'], 'Name one folder or zip archive.'],
    [['a', '--days', 'x'], '--days is 1 to 400.'],
    [['a', '--today', 'x'], '--today is a day, YYYY-MM-DD.'],
    [['a', '--what'], 'Usage: npm run import'],
    [['/nowhere'], '/nowhere: There is no such folder or file.'],
  ])('explains itself when called with %j', (args, text) => {
    const { status, stderr } = run(...args);
    expect(stderr).toContain(text);
    expect(status).toBe(1);
  });

  it.skipIf(inject('engine') === 'postgres')(
    'leaves the embedded database alone while a server works on it',
    () => {
      const data = join(folder, 'data');
      const unlock = lockFolder(data);
      writeFileSync(join(data, 'process.lock'), String(process.ppid));
      const { status, stderr } = run(writeZip('later.zip'));
      unlock();
      expect(stderr).toContain('is in use by process');
      expect(status).toBe(1);
    },
  );
});
