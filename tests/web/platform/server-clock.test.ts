import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ping } from '#contract/system/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import { noteServerTime, serverNow } from '#web/platform/server-clock.ts';
import { answerFetches, openPage, success } from './page.ts';

const NOW = Date.parse('2026-06-05T14:00:00.000Z');
const HOUR = 3_600_000;
/** What a `Date` header leaves out. */
const SECOND = 999;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  openPage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function header(time: number): string {
  return new Date(time).toUTCString();
}

describe('the server’s clock', () => {
  test('is the device’s until an answer shows another time', () => {
    expect(serverNow()).toBe(NOW);
  });

  test.each([-2 * HOUR, 2 * HOUR])('is learned from an answer whose time is off by %d ms', async (offset) => {
    answerFetches(() => {
      const answer = success({ pong: true });
      answer.headers.set('date', header(Date.now() + offset));
      return answer;
    });
    await request(ping);
    expect(Math.abs(serverNow() - (NOW + offset))).toBeLessThan(1000);
  });

  test('is kept for a start without a connection', () => {
    noteServerTime(header(NOW - 2 * HOUR), NOW);
    expect(localStorage.getItem('clock-offset')).toBe(String(SECOND - 2 * HOUR));
    expect(serverNow()).toBe(NOW + SECOND - 2 * HOUR);
  });

  test('is not corrected by the time that an answer takes', () => {
    const sentAt = Date.now();
    vi.advanceTimersByTime(8000);
    noteServerTime(header(sentAt + 3000), sentAt);
    expect(serverNow()).toBe(Date.now());
    noteServerTime(null, sentAt);
    noteServerTime('soon', sentAt);
    expect(serverNow()).toBe(Date.now());
  });

  test('follows the device again once its clock is right', () => {
    noteServerTime(header(NOW - 2 * HOUR), NOW);
    vi.setSystemTime(NOW - 2 * HOUR);
    noteServerTime(header(Date.now()), Date.now());
    expect(serverNow()).toBe(NOW - 2 * HOUR);
  });

  test('ignores a stored offset that is not a number', () => {
    localStorage.setItem('clock-offset', 'soon');
    expect(serverNow()).toBe(NOW);
  });
});
