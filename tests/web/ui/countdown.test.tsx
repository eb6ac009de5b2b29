import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Countdown, formatRemaining } from '#web/ui/feedback/countdown.tsx';

const start = Date.parse('2026-07-24T09:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function at(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString();
}

function pass(seconds: number): void {
  act(() => vi.advanceTimersByTime(seconds * 1000));
}

test('the time left is shown as minutes and seconds', () => {
  render(<Countdown expiresAt={at(599)} />);
  expect(screen.getByRole('timer').textContent).toBe('9:59');
  pass(10);
  expect(screen.getByRole('timer').textContent).toBe('9:49');
  expect(formatRemaining(3600)).toBe('60:00');
});

test('only 5, 2 and 1 minutes are announced', () => {
  render(<Countdown expiresAt={at(420)} />);
  const heard = new Map<string, number>();
  for (let second = 0; second < 420; second += 1) {
    pass(1);
    const words = screen.getByRole('status').textContent ?? '';
    if (words && !heard.has(words)) heard.set(words, 420 - second - 1);
  }
  expect([...heard]).toEqual([
    ['5 minutes left', 300],
    ['2 minutes left', 120],
    ['1 minute left', 60],
  ]);
});

test('a mark that was already behind when the clock came up is not announced', () => {
  render(<Countdown expiresAt={at(90)} />);
  pass(5);
  expect(screen.getByRole('status').textContent).toBe('');
});

test('the end is told once and the clock stays at zero', () => {
  const onExpire = vi.fn();
  render(<Countdown expiresAt={at(2)} onExpire={onExpire} />);
  pass(2);
  pass(60);
  expect(onExpire).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('timer').textContent).toBe('0:00');
});

test('a page that slept shows and says the right time when it wakes', () => {
  let clock = start;
  render(<Countdown expiresAt={at(600)} now={() => clock} />);
  clock = start + 400_000;
  pass(1);
  expect(screen.getByRole('timer').textContent).toBe('3:20');
  expect(screen.getByRole('status').textContent).toBe('3 minutes left');
  clock = start + 570_000;
  pass(1);
  expect(screen.getByRole('status').textContent).toBe('Less than a minute left');
});
