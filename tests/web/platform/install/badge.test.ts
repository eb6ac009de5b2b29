import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { badgeTodaysCrossings, type Crossing, todaysCrossings } from '#web/platform/install/badge.ts';
import { clearSession } from '#web/platform/session/session.ts';
import { openPage } from '../page.ts';

const NOON = Date.parse('2026-06-05T19:00:00.000Z');
const ZONE = 'America/Los_Angeles';

const crossing = (departsAt: string, minutes = 30): Crossing => ({
  departsAt,
  arrivesAt: new Date(Date.parse(departsAt) + minutes * 60_000).toISOString(),
  departsZone: ZONE,
});

describe('todaysCrossings', () => {
  test('returns the crossings that leave today in the port’s time zone and have not arrived', () => {
    const arrived = crossing('2026-06-05T15:00:00.000Z');
    const underWay = crossing('2026-06-05T18:45:00.000Z');
    const lateTonight = crossing('2026-06-06T06:30:00.000Z');
    const tomorrow = crossing('2026-06-06T08:00:00.000Z');
    expect(todaysCrossings([arrived, underWay, lateTonight, tomorrow], NOON)).toEqual([
      underWay,
      lateTonight,
    ]);
  });
});

describe('the badge of the installed app', () => {
  const badges: (number | null)[] = [];
  beforeEach(() => {
    openPage();
    badges.length = 0;
    vi.useFakeTimers({ now: NOON });
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void badges.push(count),
      clearAppBadge: async () => void badges.push(null),
    });
  });
  afterEach(() => {
    badgeTodaysCrossings([]);
    vi.useRealTimers();
  });

  test('counts today’s crossings, and disappears when the last one has arrived', async () => {
    badgeTodaysCrossings([crossing('2026-06-05T19:10:00.000Z'), crossing('2026-06-05T20:10:00.000Z')]);
    await vi.advanceTimersByTimeAsync(45 * 60_000);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(badges).toEqual([2, 1, null]);
  });

  test('disappears when the session ends', () => {
    badgeTodaysCrossings([crossing('2026-06-05T19:10:00.000Z')]);
    void clearSession();
    expect(badges).toEqual([1, null]);
  });
});
