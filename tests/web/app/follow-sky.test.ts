import { afterEach, expect, test, vi } from 'vitest';
import { followSky } from '#web/app/follow-sky.ts';

const root = document.documentElement;

afterEach(() => {
  vi.useRealTimers();
  delete root.dataset.place;
  delete root.dataset.sky;
});

test('the light in the header follows the hour at the port, also on a page rendered at night', () => {
  vi.useFakeTimers({ now: Date.parse('2026-06-21T03:30:00-07:00') });
  root.dataset.place = '47.6 -122.3';
  followSky();
  expect(root.dataset.sky).toBe('night');
  vi.advanceTimersByTime(6 * 3_600_000);
  expect(root.dataset.sky).toBe('day');
});

test('without the position of a port the header keeps its own light', () => {
  followSky();
  expect(root.dataset.sky).toBeUndefined();
});
