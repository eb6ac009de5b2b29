import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { batchLines, createLog, describeError } from '#server/core/log.ts';
import { openTestDatabase } from '#tests/setup/database.ts';

test('lines of one turn of the event loop are written together, in order and once', async () => {
  const written: string[] = [];
  const log = createLog(batchLines((text) => written.push(text)));
  log.info('first');
  log.warn('second', { mail_id: 'm1' });
  expect(written).toEqual([]);
  await nextTurn();
  await nextTurn();
  expect(written).toHaveLength(1);
  const events = (written[0] ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(events).toEqual(['first', 'second']);
});

test('lines logged just before the process exits are written', () => {
  const written: string[] = [];
  const before = process.listeners('exit');
  const write = batchLines((text) => written.push(text));
  const flush = process.listeners('exit').find((listener) => !before.includes(listener));
  write('the end\n');
  flush?.(0);
  expect(written).toEqual(['the end\n']);
});

describe('describeError', () => {
  test('names the database’s code and constraint behind a failed query, and no value', async () => {
    const { db, close } = await openTestDatabase();
    const provoke = () =>
      db.execute(sql`insert into rate_limits (key, hits, window_ends_at) values ('secret', null, now())`);
    const failed = await provoke().catch((error: unknown) => error);
    await close();
    const described = describeError(failed);
    expect(described).toMatchObject({ error: 'DrizzleQueryError', code: '23502' });
    expect(JSON.stringify(described)).not.toContain('secret');
  });

  test('names the constraint that a row contradicts', () => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      constraint: 'order_changes_one_open',
    });
    expect(describeError(new Error('Failed query', { cause }))).toMatchObject({
      ...{ error: 'Error', code: '23505', constraint: 'order_changes_one_open' },
    });
  });
});
