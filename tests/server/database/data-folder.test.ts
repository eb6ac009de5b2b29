import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/database/database.ts';
import { publishWebSettings } from '#server/settings/publish-settings.ts';

// The engine takes seconds to make a database, and more on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'gangway-folder-')), 'data');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

/** Whatever other users of the machine may read or write. */
function listOpen(): string[] {
  const paths = ['', ...readdirSync(folder, { recursive: true }).map(String)];
  return paths.filter((path) => (statSync(join(folder, path)).mode & 0o077) !== 0);
}

async function use(): Promise<void> {
  const database = await openDatabase({ url: null, folder });
  await database.store.query(
    'create table if not exists made_later (id int); insert into made_later select generate_series(1, 5000); checkpoint',
  );
  await publishWebSettings({
    db: database.db,
    config: { ...readConfig({ NODE_ENV: 'test' }), dataDir: folder },
  });
  await database.close();
}

test('files of a new embedded database, also those made later, and of the storage are for their owner only', async () => {
  await use();
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['database', 'storage']));
  expect(listOpen()).toEqual([]);
});

test('a start takes the rights of others from a folder of an earlier release', async () => {
  await use();
  for (const path of ['', ...readdirSync(folder, { recursive: true }).map(String)]) {
    const full = join(folder, path);
    chmodSync(full, statSync(full).isDirectory() ? 0o755 : 0o666);
  }
  expect(listOpen().length).toBeGreaterThan(900);
  await (await openDatabase({ url: null, folder })).close();
  expect(listOpen()).toEqual([]);
});
