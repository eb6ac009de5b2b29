import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sellHeldPlaces } from '#server/capacity/places.ts';
import { queryRows } from '#server/database/database.ts';
import { buildIslandFeed } from '#tests/factories/island-line.ts';
import { importFeed } from '#tests/factories/timetable.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
  await importFeed(database.db, buildIslandFeed());
});
afterEach(() => database.close());

/** Copies of a table's first row that differ in some columns. */
function copies(table: string, columns: string, count: number): string {
  return `insert into ${table} select copy.*
    from (select to_jsonb(t) as row from ${table} t limit 1) first, generate_series(1, ${count}) n,
      jsonb_populate_record(null::${table}, first.row || jsonb_build_object(${columns})) copy`;
}

test('held places are sold by index, also before PostgreSQL has counted the holds of a new office', async () => {
  const { db, store } = database;
  await store.query(copies('voyages', `'id', 'v' || n`, 5000));
  await store.query(copies('sailings', `'id', 's' || n, 'voyage_id', 'v' || n`, 5000));
  await store.query(copies('voyage_capacity', `'voyage_id', 'v' || n`, 5000));
  await store.query('analyze voyages, sailings, voyage_capacity');
  await store.query(
    `insert into holds (id, status, request, total, price_fingerprint, expires_at, expires_at_max, inserted_at)
     select 'h' || n, 'active', '{}', 0, '', now(), now(), now() from generate_series(1, 20000) n`,
  );
  await store.query(
    `insert into hold_items (hold_id, sailing_id, resource, amount)
     select 'h' || n, 's' || n % 5000 + 1, 'passenger', 1 from generate_series(1, 20000) n`,
  );
  const plan = await queryRows<Record<string, string>>(
    db,
    sql`explain ${sellHeldPlaces(sql`(select id from holds where id = 'h1')`)}`,
  );
  const steps = plan.map((row) => row['QUERY PLAN']);
  expect(steps.filter((step) => /Seq Scan/.test(step ?? ''))).toEqual([]);
  expect(steps.join('\n')).toContain('Index Scan using sailings_pkey');
});
