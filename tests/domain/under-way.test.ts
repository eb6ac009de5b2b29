import { describe, expect, test } from 'vitest';
import { getProgress } from '#domain/sailings/under-way.ts';

const MINUTE = 60_000;
const crossing = { departsAt: 0, arrivesAt: 40 * MINUTE, delayMinutes: 0, isCanceled: false };

describe('getProgress', () => {
  test('grows from the departure to the arrival', () => {
    expect(getProgress(crossing, 0)).toBe(0);
    expect(getProgress(crossing, 10 * MINUTE)).toBe(0.25);
  });

  test('knows no boat before its departure and after its arrival', () => {
    expect(getProgress(crossing, -1)).toBeNull();
    expect(getProgress(crossing, 40 * MINUTE)).toBeNull();
  });

  test('moves with the delay, and shows no boat that does not run', () => {
    expect(getProgress({ ...crossing, delayMinutes: 15 }, 10 * MINUTE)).toBeNull();
    expect(getProgress({ ...crossing, delayMinutes: 15 }, 35 * MINUTE)).toBe(0.5);
    expect(getProgress({ ...crossing, isCanceled: true }, 10 * MINUTE)).toBeNull();
  });
});
