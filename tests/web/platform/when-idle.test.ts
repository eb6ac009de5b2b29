import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pendingRequests } from '#web/platform/pending-requests.ts';
import { whenIdle } from '#web/platform/when-idle.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 50));
});
afterEach(() => {
  pendingRequests.set(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('low-priority work starts when the page is idle', () => {
  const work = vi.fn();
  whenIdle(work);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(50);
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledTimes(1);
});

test('low-priority work waits for pending responses', () => {
  const work = vi.fn();
  whenIdle(work);
  pendingRequests.set(2);
  vi.advanceTimersByTime(500);
  pendingRequests.set(1);
  vi.advanceTimersByTime(500);
  expect(work).not.toHaveBeenCalled();
  pendingRequests.set(0);
  vi.advanceTimersByTime(50);
  expect(work).toHaveBeenCalledTimes(1);
});

test('low-priority work waits at most two seconds for pending responses', () => {
  const work = vi.fn();
  whenIdle(work);
  pendingRequests.set(1);
  vi.advanceTimersByTime(1999);
  expect(work).not.toHaveBeenCalled();
  // And for the page to be idle then.
  vi.advanceTimersByTime(51);
  expect(work).toHaveBeenCalledTimes(1);
  pendingRequests.set(0);
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledTimes(1);
});

test('canceled low-priority work never starts', () => {
  const work = vi.fn();
  const callOff = whenIdle(work);
  callOff();
  vi.advanceTimersByTime(10_000);
  expect(work).not.toHaveBeenCalled();
});
