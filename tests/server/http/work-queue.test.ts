import { describe, expect, test } from 'vitest';
import { type Caller, createWorkQueue } from '#server/http/work-queue.ts';

/** A queue whose work ends when the test requests it, and the order in which it began. */
function open(bounds: { slots?: number; waiting?: number; waitingPerKey?: number } = {}) {
  const queue = createWorkQueue({ slots: 1, waiting: 100, waitingPerKey: 100, ...bounds });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    queue,
    begun,
    run: (name: string, turn: Caller) =>
      queue.run(turn, () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      }),
    /** Ends the oldest running work, so that the next can begin. */
    async endNext() {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('createWorkQueue', () => {
  test('runs as much work concurrently as it has slots, also after work failed', async () => {
    const { queue, run, begun, endNext } = open({ slots: 2 });
    await expect(queue.run({ key: 'a' }, () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
    const all = ['1', '2', '3', '4'].map((name) => run(name, { key: 'a' }));
    expect([begun, queue.waiting]).toEqual([['1', '2'], 2]);
    for (let ended = 0; ended < 4; ended += 1) await endNext();
    expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
    expect(queue.waiting).toBe(0);
  });

  test('alternates between keys, regardless of how much work waits for one of them', async () => {
    const { run, begun, endNext } = open();
    const all = [
      ...['a1', 'a2', 'a3', 'a4'].map((name) => run(name, { key: 'a' })),
      ...['b1', 'b2'].map((name) => run(name, { key: 'b' })),
      run('c1', { key: 'c' }),
    ];
    while (begun.length < 7) await endNext();
    await endNext();
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  test('refuses work when the queue or the queue of its key is full', async () => {
    const { run, endNext } = open({ waiting: 3, waitingPerKey: 2 });
    const accepted = [run('0', { key: 'x' }), run('1', { key: 'a' }), run('2', { key: 'a' })];
    const busy = { code: 'server_busy', status: 503, retryAfter: 2 };
    await expect(run('3', { key: 'a' })).rejects.toMatchObject(busy);
    accepted.push(run('4', { key: 'b' }));
    await expect(run('5', { key: 'c' })).rejects.toMatchObject(busy);
    for (let ended = 0; ended < 4; ended += 1) await endNext();
    expect(await Promise.all(accepted)).toEqual(['0', '1', '2', '4']);
  });

  test('does not start work whose caller disconnected, and frees its place', async () => {
    const { queue, run, begun, endNext } = open({ waiting: 1 });
    const running = run('first', { key: 'a' });
    const caller = new AbortController();
    const left = run('left', { key: 'a', signal: caller.signal });
    caller.abort();
    await expect(left).rejects.toMatchObject({ code: 'server_busy' });
    await expect(run('late', { key: 'a', signal: caller.signal })).rejects.toMatchObject({
      code: 'server_busy',
    });
    expect(queue.waiting).toBe(0);
    const next = run('next', { key: 'b' });
    await endNext();
    await endNext();
    await Promise.all([running, next]);
    expect(begun).toEqual(['first', 'next']);
  });

  test('finishes work whose caller disconnects after it began', async () => {
    const { run, endNext } = open();
    const caller = new AbortController();
    const running = run('begun', { key: 'a', signal: caller.signal });
    caller.abort();
    await endNext();
    expect(await running).toBe('begun');
  });
});
