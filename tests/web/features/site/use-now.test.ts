import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useNow, useStartOfDay } from '#web/features/site/use-now.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('the time is updated while the screen is open', () => {
  vi.useFakeTimers({ now: new Date(2026, 5, 5, 23, 58) });
  const { result } = renderHook(useNow);
  act(() => vi.advanceTimersByTime(30_000));
  expect(result.current).toBe(new Date(2026, 5, 5, 23, 58, 30).getTime());
});

test('the day changes at midnight and causes no render before that', () => {
  vi.useFakeTimers({ now: new Date(2026, 5, 5, 23, 58) });
  let renders = 0;
  const { result } = renderHook(() => {
    renders += 1;
    return useStartOfDay();
  });
  act(() => vi.advanceTimersByTime(105_000));
  expect(result.current).toBe(new Date(2026, 5, 5).getTime());
  expect(renders).toBe(1);
  act(() => vi.advanceTimersByTime(15_000));
  expect(result.current).toBe(new Date(2026, 5, 6).getTime());
});
