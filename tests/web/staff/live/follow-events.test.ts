import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followEvents } from '#web/staff/live/follow-events.ts';

class FakeSource {
  static readonly CLOSED = 2;
  static opened: FakeSource[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeSource.opened.push(this);
  }

  close(): void {
    this.readyState = FakeSource.CLOSED;
  }

  fail(isFinal: boolean): void {
    this.readyState = isFinal ? FakeSource.CLOSED : 0;
    this.onerror?.();
  }
}

let visibility: DocumentVisibilityState;
const onEvent = vi.fn();
const onReturn = vi.fn();
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeSource);
  FakeSource.opened = [];
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  stop = followEvents('/live', { onEvent, onReturn });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  onEvent.mockReset();
  onReturn.mockReset();
});

const current = () => FakeSource.opened.at(-1) as FakeSource;

function show(state: DocumentVisibilityState): void {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
}

test('passes on the topics of events', () => {
  current().onopen?.();
  current().onmessage?.({ data: 'boats' });
  expect(onEvent).toHaveBeenCalledExactlyOnceWith('boats');
  expect(onReturn).not.toHaveBeenCalled();
});

test('closes while the page is hidden, and says that anything may have changed when it returns', () => {
  current().onopen?.();
  show('hidden');
  expect(current().readyState).toBe(FakeSource.CLOSED);
  expect(FakeSource.opened).toHaveLength(1);
  show('visible');
  expect(FakeSource.opened).toHaveLength(2);
  current().onopen?.();
  expect(onReturn).toHaveBeenCalledOnce();
});

test('leaves a lost connection to the browser, and tries a refused one again after longer and longer pauses', () => {
  current().fail(false);
  vi.advanceTimersByTime(60_000);
  expect(FakeSource.opened).toHaveLength(1);
  current().fail(true);
  vi.advanceTimersByTime(14_000);
  expect(FakeSource.opened).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  expect(FakeSource.opened).toHaveLength(2);
  current().fail(true);
  vi.advanceTimersByTime(29_000);
  expect(FakeSource.opened).toHaveLength(2);
  vi.advanceTimersByTime(1_000);
  expect(FakeSource.opened).toHaveLength(3);
});

test('ends with its screen', () => {
  current().fail(true);
  stop();
  vi.advanceTimersByTime(600_000);
  show('visible');
  expect(FakeSource.opened).toHaveLength(1);
});
