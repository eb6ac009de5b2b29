import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchLines, createLog } from '#server/core/log.ts';

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
