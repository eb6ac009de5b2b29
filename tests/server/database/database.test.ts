import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase, queryRows } from '#server/database/database.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

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
