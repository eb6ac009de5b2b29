import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '#server/config.ts';
import { getVersion } from '#server/core/vault.ts';
import { deleteGeneratedSecret, loadSecrets, openVault, retireSecrets } from '#server/secrets.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

const FIRST = 'the first secret of this installation';
const OTHER = 'another secret, just as long as the first';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

const THIRD = 'a third secret, which replaces the other one';

const load = async (appSecret: string | null, ...previousSecrets: string[]) =>
  (await loadSecrets(database.db, { appSecret, previousSecrets })).current;
const open = (appSecret: string | null, ...previousSecrets: string[]) =>
  openVault(database.db, { appSecret, previousSecrets });
const retire = async (appSecret: string, ...previousSecrets: string[]) =>
  retireSecrets(database.db, await loadSecrets(database.db, { appSecret, previousSecrets }));

describe('loadSecrets', () => {
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

  test('takes over from the generated secret to one that is set later, and then refuses to start without it', async () => {
    const made = await load(null);
    const old = (await open(null)).encrypt('text');
    const vault = await open(OTHER);
    expect(vault.decrypt(old)).toBe('text');
    await retire(OTHER);
    await deleteGeneratedSecret(database.db);
    expect((await open(OTHER)).decrypt(old)).toBe('text');
    await expect(load(null)).rejects.toThrow('APP_SECRET is missing');
    await expect(load(made)).rejects.toThrow('APP_SECRET is not the secret');
  });

  test('reads what replaced secrets encrypted and signed for storage, without naming them once they are retired', async () => {
    const first = await open(FIRST);
    const values = [first.encrypt('one')];
    // As in a rolling restart: a process that knows the next secret, and does not use it yet.
    expect((await open(FIRST, OTHER)).encrypt('text')).not.toContain('.');
    const second = await open(OTHER, FIRST);
    values.push(second.encrypt('two'));
    expect((await open(FIRST, OTHER)).decrypt(values[1] ?? '')).toBe('two');
    await retire(OTHER, FIRST);
    const third = await open(THIRD, OTHER);
    values.push(third.encrypt('three'));
    await retire(THIRD, OTHER);
    const vault = await open(THIRD);
    expect(values.map((value) => vault.decrypt(value))).toEqual(['one', 'two', 'three']);
    expect(values.map((value) => value.split('.').length)).toEqual([1, 2, 2]);
    expect(vault.sign('pin', '4711', '')).toBe(first.sign('pin', '4711'));
    expect(vault.sign('pin', '4711', second.version)).toBe(second.sign('pin', '4711'));
    for (const earlier of [FIRST, OTHER]) await expect(load(earlier)).rejects.toThrow('is not the secret');
  });

  test('accepts signatures of a secret that is being replaced, and none of a retired one', async () => {
    const signature = (await open(FIRST)).sign('quote', 'text');
    expect((await open(OTHER, FIRST)).verify('quote', 'text', signature)).toBe(true);
    await retire(OTHER, FIRST);
    const vault = await open(OTHER);
    expect(vault.verify('quote', 'text', signature)).toBe(false);
    expect(vault.verify('quote', 'text', signature, '')).toBe(true);
  });

  test('never stores the next secret where the current one could read it', async () => {
    await load(FIRST);
    await retire(FIRST, OTHER);
    const names = async () =>
      (await database.store.query<{ name: string }>('select name from secrets')).map(({ name }) => name);
    expect(await names()).toEqual(['app-check']);
    await retire(OTHER, FIRST);
    await retire(FIRST, OTHER);
    const retired = (await names()).filter((name) => name.startsWith('app-retired'));
    expect(retired).toEqual([`app-retired-${getVersion(OTHER)}`]);
  });
});
