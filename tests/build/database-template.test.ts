import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/database/database.ts';

test('new embedded databases begin as copies of the build’s template, and later starts keep their data', async () => {
  const first = newFolder();
  const identities = [await identify(first), await identify(newFolder())];
  expect(identities[0]?.system).toBe(identities[1]?.system);
  expect(identities[0]?.tables).toBeGreaterThan(30);

  const database = await openDatabase({ url: null, folder: first });
  await database.store.query(`insert into secrets (name, value) values ('kept', 'text')`);
  await database.close();
  const again = await openDatabase({ url: null, folder: first });
  expect(await again.store.query(`select value from secrets where name = 'kept'`)).toEqual([
    { value: 'text' },
  ]);
  await again.close();
});

/** The identifier that creating a database gives it, and the number of the product's tables. */
async function identify(folder: string): Promise<{ system: string; tables: number }> {
  const database = await openDatabase({ url: null, folder });
  const [row] = await database.store.query<{ system: string; tables: number }>(`
    select system_identifier::text as system,
      (select count(*)::int from pg_tables where schemaname = 'public') as tables
    from pg_control_system()`);
  await database.close();
  if (!row) throw new Error('The database does not answer.');
  return row;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-template-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
