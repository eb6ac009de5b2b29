import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '#server/config.ts';
import { loadAppSecret } from '#server/secrets.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

const FIRST = 'the first secret of this installation';
const OTHER = 'another secret, just as long as the first';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

const load = (secret: string | null) => loadAppSecret(database.db, secret);

describe('loadAppSecret', () => {
  test('creates a secret at the first start and loads it at every later start', async () => {
    const made = await load(null);
    expect(made.length).toBeGreaterThanOrEqual(32);
    expect(await load(null)).toBe(made);
    expect(await load(made)).toBe(made);
  });

  test('gives processes that start concurrently the same secret', async () => {
    const made = await Promise.all([load(null), load(null), load(null)]);
    expect(new Set(made).size).toBe(1);
  });

  test('refuses a changed secret, explains the consequence and the remedy, and changes nothing', async () => {
    expect(await load(FIRST)).toBe(FIRST);
    const stored = await database.store.query('select * from secrets order by name');
    const refusal = await load(OTHER).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConfigError);
    const { message } = refusal as ConfigError;
    expect(message).toContain('APP_SECRET is not the secret this installation was set up with');
    expect(message).toContain('sign tickets');
    expect(message).toContain('Start again with the earlier secret');
    expect(message).not.toContain(OTHER);
    expect(await database.store.query('select * from secrets order by name')).toEqual(stored);
    expect(await load(FIRST)).toBe(FIRST);
  });

  test('refuses to start without the secret that was set, instead of creating one', async () => {
    await load(FIRST);
    await expect(load(null)).rejects.toThrow('APP_SECRET is missing');
    const stored = await database.store.query<{ name: string; value: string }>('select * from secrets');
    expect(stored.map(({ name }) => name)).toEqual(['app-check']);
    expect(stored[0]?.value).not.toContain(FIRST);
  });

  test('asks to unset a secret that was set later than the one in the database', async () => {
    const made = await load(null);
    await expect(load(OTHER)).rejects.toThrow('unset APP_SECRET');
    expect(await load(null)).toBe(made);
  });
});
