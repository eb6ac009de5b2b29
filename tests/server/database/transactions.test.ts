import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { inTransaction, withRetry } from '#server/database/transactions.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const failure = (code: string) => new Error('Failed query', { cause: Object.assign(new Error(), { code }) });

describe('withRetry', () => {
  test.each(['40001', '40P01'])('retries after a conflict with another transaction (%s)', async (code) => {
    let tries = 0;
    const result = await withRetry(async () => {
      tries += 1;
      if (tries < 4) throw failure(code);
      return 'done';
    });
    expect([result, tries]).toEqual(['done', 4]);
  });

  test('throws the original error after the last try', async () => {
    let tries = 0;
    const work = withRetry(async () => {
      tries += 1;
      throw failure('40P01');
    });
    await expect(work).rejects.toMatchObject({ cause: { code: '40P01' } });
    expect(tries).toBe(5);
  });

  test.each(['23505', '57P01', '53100'])(
    'repeats nothing that failed for another reason (%s)',
    async (code) => {
      let tries = 0;
      const work = withRetry(async () => {
        tries += 1;
        throw failure(code);
      });
      await expect(work).rejects.toThrow('Failed query');
      expect(tries).toBe(1);
    },
  );
});

describe.runIf(inject('engine') === 'postgres')('two transactions that wait for each other', () => {
  test('both succeed, one of them at its second try', async () => {
    await database.store.query(
      `insert into secrets (name, value) values ('first', ''), ('second', ''), ('third', '')`,
    );
    let tries = 0;
    const lock = (tx: Database, name: string) =>
      tx.execute(sql`select 1 from secrets where name = ${name} for no key update`);
    const { promise: bothHaveOne, resolve } = Promise.withResolvers<void>();
    let waiting = 0;
    const crosswise = (one: string, other: string) =>
      inTransaction(database.db, async (tx) => {
        tries += 1;
        await lock(tx, one);
        waiting += 1;
        if (waiting === 2) resolve();
        await bothHaveOne;
        await lock(tx, other);
      });
    await Promise.all([crosswise('first', 'second'), crosswise('second', 'first')]);
    expect(tries).toBe(3);
  });
});
