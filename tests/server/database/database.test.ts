import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { executeWithoutDatabase } from '#server/commands/command.ts';
import { doctorCommand } from '#server/commands/doctor.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { openDatabase, queryRows } from '#server/database/database.ts';
import { createDatabase, openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

describe('the database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  test('is the engine the project asks for', () => {
    expect(database.engine).toBe(inject('engine'));
  });

  test('has empty tables of the schema', async () => {
    expect(await queryRows(database.db, sql`select count(*)::int as orders from orders`)).toEqual([
      { orders: 0 },
    ]);
  });

  test('rolls back a failed transaction completely', async () => {
    const insert = sql`insert into settings (name, value, updated_at) values ('web', '{}', now())`;
    await expect(
      database.db.transaction(async (tx) => {
        await tx.execute(insert);
        await tx.execute(insert);
      }),
    ).rejects.toThrow();
    expect(await queryRows(database.db, sql`select count(*)::int as settings from settings`)).toEqual([
      { settings: 0 },
    ]);
  });

  test.runIf(inject('engine') === 'postgres')(
    'has PostgreSQL plan a statement once for a connection, whatever its values',
    async () => {
      // The connections of the test's database have prepared all the statements they keep.
      const own = await openDatabase({ url: database.url, folder: null });
      const rows = await own.db.transaction(async (tx) => {
        for (const number of [1, 2, 3]) await tx.execute(sql`select ${number}::int as planned_once`);
        return queryRows(
          tx,
          sql`select (generic_plans + custom_plans)::int as runs from pg_prepared_statements
            where statement like 'select $1::int as planned_once'`,
        );
      });
      await own.close();
      expect(rows).toEqual([{ runs: 3 }]);
    },
  );

  test('answers several statements in one text with the rows of the last', async () => {
    expect(await database.store.query('select 1 as first; select 2 as second')).toEqual([{ second: 2 }]);
  });
});

describe.runIf(inject('engine') === 'postgres')('a server older than PostgreSQL 15', () => {
  let created: Awaited<ReturnType<typeof createDatabase>>;
  let refusal: unknown;
  beforeAll(async () => {
    created = await createDatabase('template0');
    refusal = await openDatabase({ url: await pretendVersion(created.url, '14.17'), folder: null }).catch(
      (error: unknown) => error,
    );
  });
  afterAll(() => created.drop());

  test('is refused before it gets any table', async () => {
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(String(refusal)).toContain('PostgreSQL 14.17, which is too old: Gangway needs 15 or newer');
    const client = new pg.Client({ connectionString: created.url });
    await client.connect();
    const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'public'`);
    await client.end();
    expect(rows).toEqual([]);
  });

  test('is an error among the findings of the doctor', async () => {
    const config = readConfig({ DATABASE_URL: created.url });
    const input = { isOffline: true };
    const { stderr, exitCode } = await executeWithoutDatabase(doctorCommand, {
      config,
      input,
      error: refusal,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Error: The database server is PostgreSQL 14\.17, which is too old/m);
    expect(stderr).toMatch(/^Error: Payments are simulated/m);
  });
});

/** A connection to whose statements the server names another version. */
async function pretendVersion(url: string, version: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create schema older;
    create function older.current_setting(name text) returns text language sql as $$
      select case name when 'server_version_num' then '${version.replace('.', '00')}'
                       when 'server_version' then '${version}' else pg_catalog.current_setting(name) end
    $$
  `);
  await client.end();
  const older = new URL(url);
  older.searchParams.set('options', '-c search_path=older,pg_catalog,public');
  return older.href;
}
