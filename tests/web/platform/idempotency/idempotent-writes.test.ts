// @vitest-environment node
import { expect, test } from 'vitest';
import { ApiError } from '#web/platform/api/api-error.ts';
import { createIdempotentWrites, type IdempotencyKeys } from '#web/platform/idempotency/idempotent-writes.ts';

const refused = new ApiError(422, [{ code: 'sold_out', message: 'Sold out.' }]);
const inProgress = new ApiError(409, [{ code: 'request_in_progress', message: 'Wait.' }]);
const down = new ApiError(503, [{ code: 'internal_server_error', message: 'Down.' }]);
const lost = new TypeError('Failed to fetch');

function openStore(keys: IdempotencyKeys = {}) {
  const store = {
    keys,
    get: () => store.keys,
    set: (next: IdempotencyKeys) => {
      store.keys = next;
    },
  };
  return { store, writes: createIdempotentWrites(store) };
}

/** Writes twice, the first time with this outcome. @returns whether both had the same key */
async function writeTwice(outcome: unknown, write: 'run' | 'open' = 'run'): Promise<boolean> {
  const { writes } = openStore();
  const keys: string[] = [];
  const send = (result: unknown) => async (key: string) => {
    keys.push(key);
    if (result instanceof Error) throw result;
  };
  await writes[write]('pay', send(outcome)).catch(() => undefined);
  await writes[write]('pay', send(null));
  return keys[0] === keys[1];
}

test.each([
  ['the response was lost', lost],
  ['the server failed', down],
  ['the server is still processing it', inProgress],
])('a write is repeated with the same key if %s', async (_, error) => {
  expect(await writeTwice(error)).toBe(true);
});

test.each([
  ['refused', refused],
  ['successful', null],
])('the next write after a %s one has a new key', async (_, outcome) => {
  expect(await writeTwice(outcome)).toBe(false);
});

test('an open write keeps its key after success and drops it when it is refused or ended', async () => {
  expect(await writeTwice(null, 'open')).toBe(true);
  expect(await writeTwice(refused, 'open')).toBe(false);
  const { writes } = openStore();
  const key = writes.getKey('pay');
  writes.end('pay');
  expect(writes.getKey('pay')).not.toBe(key);
});

test('each purpose has its own key', async () => {
  const { store, writes } = openStore();
  expect(writes.getKey('pay')).not.toBe(writes.getKey('cancel'));
  writes.end('pay');
  expect(Object.keys(store.keys)).toEqual(['cancel']);
});

test('a key stored before a reload is used again', () => {
  const { writes } = openStore({ pay: 'the-same-key' });
  expect(writes.getKey('pay')).toBe('the-same-key');
});
