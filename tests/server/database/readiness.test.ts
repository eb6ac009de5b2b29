import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createReadiness } from '#server/database/readiness.ts';
import { codeOf, type Office, openOffice } from '#tests/factories/buyer.ts';

/** SQLSTATE of a full disk, no memory, a failed disk, and a read-only server. */
const FAILURES = ['53100', '53200', '58030', '25006'];
const FORGOTTEN_AFTER_MS = 5_000;

let office: Office;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  office = await openOffice();
});
afterAll(async () => {
  await office.close();
  vi.useRealTimers();
});
afterEach(async () => {
  await stopFailing();
  vi.advanceTimersByTime(FORGOTTEN_AFTER_MS);
});

const isReady = () => office.database.readiness.isReady().catch(() => false);

/** Makes every write to a table fail with PostgreSQL's own error. */
async function failWrites(table: string, code: string): Promise<void> {
  await office.database.store.query(`
    create or replace function fail_write() returns trigger language plpgsql as $$
      begin raise exception using errcode = '${code}', message = 'could not extend file'; end $$;
    create trigger fail_write before insert or update on ${table} execute function fail_write();
  `);
}

async function stopFailing(): Promise<void> {
  await office.database.store.query('drop function if exists fail_write cascade');
}

describe('a read-only database', () => {
  test.each(FAILURES)(
    'is not ready while its own check fails (%s), and some seconds longer',
    async (code) => {
      expect(await isReady()).toBe(true);
      await failWrites('readiness_checks', code);
      expect(await isReady()).toBe(false);
      await stopFailing();
      expect(await isReady()).toBe(false);
      vi.advanceTimersByTime(FORGOTTEN_AFTER_MS);
      expect(await isReady()).toBe(true);
    },
  );

  test.each(FAILURES)('answers a request that writes with 503, and is not ready (%s)', async (code) => {
    const { quote } = await office.takeHold();
    await failWrites('holds', code);
    const reply = await office.hold(quote.id);
    expect([reply.status, codeOf(reply), reply.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '5',
    ]);
    expect(JSON.stringify(reply.body)).not.toContain('extend');
    expect(await isReady()).toBe(false);
    await stopFailing();
    expect((await office.hold(quote.id)).status).toBe(201);
    vi.advanceTimersByTime(FORGOTTEN_AFTER_MS);
    expect(await isReady()).toBe(true);
  });

  test('still answers requests that only read', async () => {
    await failWrites('holds', '53100');
    expect((await office.request('GET', '/api/catalogue')).status).toBe(200);
  });

  test('is detected by failed statements of background jobs too', async () => {
    await failWrites('settings', '53100');
    const write = office.database.store.query(
      `insert into settings (name, value, updated_at) values ('probe', '{}', now())`,
    );
    await expect(write).rejects.toMatchObject({ code: '53100' });
    expect(await isReady()).toBe(false);
    vi.advanceTimersByTime(FORGOTTEN_AFTER_MS);
    expect(await isReady()).toBe(true);
  });
});

test('an aborted embedded engine is reported, and other failures are not', () => {
  const onLost = vi.fn();
  const { noteFailure } = createReadiness(office.database.store, onLost);
  noteFailure(Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR' }));
  expect(onLost).not.toHaveBeenCalled();
  const cause = Object.assign(new Error('could not write to log file'), { code: '42501', severity: 'PANIC' });
  noteFailure(new Error('Failed query', { cause }));
  expect(onLost).toHaveBeenCalledOnce();
});

test('an invalid statement does not affect readiness', async () => {
  await expect(office.database.store.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
  expect(await isReady()).toBe(true);
});
