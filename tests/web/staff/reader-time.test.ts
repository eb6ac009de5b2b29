import { beforeEach, describe, expect, test } from 'vitest';
import {
  formatClockForReader,
  formatForReader,
  isDayBefore,
  isSameDay,
} from '#web/features/site/reader-time.ts';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { readOperatorClock, startOfOperatorDay } from '#web/staff/operator-clock.ts';
import { openPage, STAFF } from '../platform/page.ts';

describe('times for a customer', () => {
  beforeEach(() => {
    openPage();
    readOperatorClock();
  });

  test('yesterday is determined by the calendar, not by 24 hours', () => {
    const now = new Date(2026, 2, 1, 0, 5);
    expect(isDayBefore(new Date(2026, 1, 28, 23, 59), now)).toBe(true);
    expect(isDayBefore(new Date(2026, 1, 28, 0, 0), now.getTime())).toBe(true);
    expect(isDayBefore(new Date(2026, 1, 27, 23, 59), now)).toBe(false);
    expect(isDayBefore(new Date(2026, 2, 1, 0, 1), now)).toBe(false);
    expect(isDayBefore(new Date(2026, 1, 28, 12), new Date(2026, 2, 1, 23, 59))).toBe(true);
  });

  test('are those of the device, without a zone', () => {
    expect(formatClockForReader(new Date(2026, 5, 5, 9, 30))).toBe('9:30 AM');
  });
});

describe('times for staff', () => {
  /** A zone whose clock differs from that of any device that runs the tests. */
  const FAR = 'Asia/Kathmandu';

  function openStaffPage(zone: string) {
    openPage(`${STAFF}/orders`, { time_zone: zone });
    readOperatorClock();
  }

  test('are those of the operator, with its zone where the device shows another time', () => {
    openStaffPage(FAR);
    // 20:30 in UTC is 2:15 of the next day.
    const instant = '2026-06-05T20:30:00.000Z';
    expect(formatClockForReader(instant)).toBe('2:15 AM GMT+5:45');
    expect(formatForReader('dateAndClock', instant)).toBe('Jun 6, 2026, 2:15 AM GMT+5:45');
    expect(formatForReader('date', instant)).toBe('Jun 6, 2026');
    expect(formatWhen(instant, Date.parse('2026-06-05T19:00:00Z'))).toBe('today, 2:15 AM GMT+5:45');
    expect(formatWhen(instant, Date.parse('2026-06-06T19:00:00Z'))).toBe('yesterday, 2:15 AM GMT+5:45');
  });

  test('have no zone where the device shows the same time', () => {
    openStaffPage(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(formatClockForReader(new Date(2026, 5, 5, 9, 30))).toBe('9:30 AM');
  });

  test('a day begins at midnight of the operator, also when its clock changes', () => {
    openStaffPage('America/Los_Angeles');
    expect(startOfOperatorDay('2026-06-05')).toBe('2026-06-05T07:00:00.000Z');
    expect(startOfOperatorDay('2026-03-08')).toBe('2026-03-08T08:00:00.000Z');
    expect(startOfOperatorDay('2026-03-09')).toBe('2026-03-09T07:00:00.000Z');
    openStaffPage('Australia/Sydney');
    expect(startOfOperatorDay('2026-04-05')).toBe('2026-04-04T13:00:00.000Z');
    expect(startOfOperatorDay('2026-04-06')).toBe('2026-04-05T14:00:00.000Z');
  });

  test('two instants are of one day by the operator’s clock', () => {
    openStaffPage(FAR);
    expect(isSameDay(Date.parse('2026-06-05T18:20:00Z'), Date.parse('2026-06-06T18:10:00Z'))).toBe(true);
    expect(isSameDay(Date.parse('2026-06-05T18:10:00Z'), Date.parse('2026-06-05T18:20:00Z'))).toBe(false);
  });
});
