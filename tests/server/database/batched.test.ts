import { afterEach, expect, test, vi } from 'vitest';
import { batched } from '#server/database/batched.ts';

/** Records the batches that are sent, and answers when the test requests it. */
function openStatement() {
  const sent: number[][] = [];
  const answers: (() => void)[] = [];
  const double = batched(async (items: readonly number[]) => {
    sent.push([...items]);
    await new Promise<void>((resolve) => answers.push(resolve));
    if (items.includes(13)) throw new Error('no thirteen');
    if (items.includes(0)) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    return items.map((item) => item * 2);
  });
  const answer = async () => {
    answers.shift()?.();
    await nextTurn();
  };
  return { sent, answer, double };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('the items of one turn of the event loop are sent together at its end', async () => {
  const { sent, double } = openStatement();
  void double(1);
  void double(2);
  await nextTurn();
  expect(sent).toEqual([[1, 2]]);
});

test('items that arrive during a statement are sent together in the next, and each gets its result', async () => {
  const { sent, answer, double } = openStatement();
  const first = double(1);
  await nextTurn();
  const others = Promise.all([double(2), double(3)]);
  await answer();
  expect(sent).toEqual([[1], [2, 3]]);
  await answer();
  expect([await first, await others]).toEqual([2, [4, 6]]);
  void double(4);
  await nextTurn();
  expect(sent.at(-1)).toEqual([4]);
});

test('the next statement is sent before the items of the last one get their results', async () => {
  const { sent, answer, double } = openStatement();
  const sentBeforeResult = double(1).then(() => [...sent]);
  await nextTurn();
  void double(2);
  await answer();
  expect(await sentBeforeResult).toEqual([[1], [2]]);
});

test('a statement contains at most fifty items', async () => {
  const { sent, answer, double } = openStatement();
  for (let item = 0; item < 61; item += 1) void double(item + 100);
  await nextTurn();
  await answer();
  expect(sent.map((items) => items.length)).toEqual([50, 11]);
});

afterEach(() => {
  vi.useRealTimers();
});

test('A statement without a response delays the others by one second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { sent, answer, double } = openStatement();
  void double(1);
  await nextTurn();
  const other = double(2);
  await vi.advanceTimersByTimeAsync(999);
  expect(sent).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([[1], [2]]);
  await answer();
  await answer();
  expect(await other).toBe(4);
});

test('Items that write to the same row are sent one after the other', async () => {
  const sent: string[][] = [];
  const write = batched(
    async (items: readonly string[]) => {
      sent.push([...items]);
      return items;
    },
    { rowOf: (item) => item.charAt(0) },
  );
  expect(await Promise.all([write('a1'), write('b1'), write('c1'), write('b2'), write('d1')])).toEqual([
    'a1',
    'b1',
    'c1',
    'b2',
    'd1',
  ]);
  expect(sent).toEqual([['a1', 'b1', 'c1', 'd1'], ['b2']]);
});

test('an invalid item does not fail the others', async () => {
  const { answer, double } = openStatement();
  const all = Promise.allSettled([double(1), double(13), double(3)]);
  await nextTurn();
  for (let statement = 0; statement < 4; statement += 1) await answer();
  expect(await all).toMatchObject([
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: { message: 'no thirteen' } },
    { status: 'fulfilled', value: 6 },
  ]);
});

test('An unavailable database is queried once for all items', async () => {
  const { sent, answer, double } = openStatement();
  const all = Promise.allSettled([double(1), double(0), double(3)]);
  await nextTurn();
  await answer();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(sent).toEqual([[1, 0, 3]]);
});
