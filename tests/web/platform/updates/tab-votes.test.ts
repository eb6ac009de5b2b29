// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announceIdle, answerVotes, askTabs, type TabChannel } from '#web/platform/updates/tab-votes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Tabs on one channel: each message is received by all other tabs. */
function openTabs(count: number): TabChannel[] {
  const ends = Array.from({ length: count }, () => new EventTarget());
  return ends.map((own) => ({
    addEventListener: own.addEventListener.bind(own) as TabChannel['addEventListener'],
    postMessage: (data: unknown) => {
      for (const end of ends) {
        if (end !== own) queueMicrotask(() => end.dispatchEvent(new MessageEvent('message', { data })));
      }
    },
  }));
}

const nothing = () => undefined;

test('one busy tab makes the other tabs wait', async () => {
  const [mine, idle, busy] = openTabs(3);
  if (!mine || !idle || !busy) throw new Error('three tabs');
  answerVotes(idle, () => null, nothing);
  answerVotes(busy, () => 'a form being typed', nothing);
  expect(await askTabs(mine, '2')).toBe(false);
});

test('a tab that does not respond within half a second does not object', async () => {
  const [mine] = openTabs(2);
  if (!mine) throw new Error('a tab');
  const answer = askTabs(mine, '2');
  await vi.advanceTimersByTimeAsync(500);
  expect(await answer).toBe(true);
  expect(await askTabs(null, '2')).toBe(true);
});

test('votes on another question do not count', async () => {
  const [mine, other] = openTabs(2);
  if (!mine || !other) throw new Error('two tabs');
  const answer = askTabs(mine, '2');
  other.postMessage({ type: 'VOTE', id: 'another', busy: true });
  await vi.advanceTimersByTimeAsync(500);
  expect(await answer).toBe(true);
});

test('a tab announces that it is idle again', async () => {
  const [mine, other] = openTabs(2);
  if (!mine || !other) throw new Error('two tabs');
  const onOtherIdle = vi.fn();
  answerVotes(other, () => null, onOtherIdle);
  announceIdle(mine);
  await vi.advanceTimersByTimeAsync(0);
  expect(onOtherIdle).toHaveBeenCalledTimes(1);
});
