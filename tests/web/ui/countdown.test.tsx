import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatRemaining, Remaining, useCountdown } from '#web/ui/feedback/countdown.tsx';

const start = Date.parse('2026-07-24T09:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

type SampleProps = { expiresAt: string; now?: () => number; onExpire?: () => void };

function Sample({ expiresAt, now = Date.now, onExpire = () => undefined }: SampleProps) {
  const { seconds, announcement } = useCountdown({ expiresAt, now, onExpire });
  return (
    <>
      <Remaining seconds={seconds} label="Held for you:" />
      <output>{announcement}</output>
    </>
  );
}

function at(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString();
}

function pass(seconds: number): void {
  act(() => vi.advanceTimersByTime(seconds * 1000));
}

test('the time left is shown as minutes and seconds, and with hours from an hour on', () => {
  render(<Sample expiresAt={at(599)} />);
  expect(screen.getByRole('timer').textContent).toBe('9:59');
  pass(10);
  expect(screen.getByRole('timer').textContent).toBe('9:49');
  expect(formatRemaining(3599)).toBe('59:59');
  expect(formatRemaining(7145)).toBe('1:59:05');
});

test('only 5, 2 and 1 minutes are announced', () => {
  render(<Sample expiresAt={at(420)} />);
  const heard = new Map<string, number>();
  for (let second = 0; second < 420; second += 1) {
    pass(1);
    const text = screen.getByRole('status').textContent ?? '';
    if (text && !heard.has(text)) heard.set(text, 420 - second - 1);
  }
  expect([...heard]).toEqual([
    ['5 minutes left', 300],
    ['2 minutes left', 120],
    ['1 minute left', 60],
  ]);
});

test('a minute mark that passed before the countdown started is not announced', () => {
  render(<Sample expiresAt={at(90)} />);
  pass(5);
  expect(screen.getByRole('status').textContent).toBe('');
});

test('the end is reported once, and the countdown stays at zero', () => {
  const onExpire = vi.fn();
  render(<Sample expiresAt={at(2)} onExpire={onExpire} />);
  pass(2);
  pass(60);
  expect(onExpire).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('timer').textContent).toBe('0:00');
});

test('after the device slept the countdown shows and announces the time that is left', () => {
  let clock = start;
  render(<Sample expiresAt={at(600)} now={() => clock} />);
  clock = start + 400_000;
  pass(1);
  expect(screen.getByRole('timer').textContent).toBe('3:20');
  expect(screen.getByRole('status').textContent).toBe('3 minutes left');
  clock = start + 570_000;
  pass(1);
  expect(screen.getByRole('status').textContent).toBe('Less than a minute left');
});
