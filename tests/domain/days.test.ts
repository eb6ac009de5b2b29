import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, countDays, getWeekdayBit, isDay, isOnWeekday, parseWeekdays } from '#domain/time/days.ts';

const anyDay = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('days', () => {
  it('distinguishes existing days from others', () => {
    expect(['2026-02-28', '2028-02-29'].every(isDay)).toBe(true);
    for (const text of ['2026-02-29', '2026-13-01', '20260228', '', '2026-2-8', '2026-02-28T00:00']) {
      expect(isDay(text)).toBe(false);
    }
  });

  it('adds days and counts the days between', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -4000, max: 4000 }), (day, days) => {
        expect(countDays(day, addDays(day, days))).toBe(days);
      }),
    );
  });
});

describe('weekdays', () => {
  it.each([
    ['daily', 0b1111111],
    ['weekdays', 0b0011111],
    ['weekends', 0b1100000],
    ['mon', 0b0000001],
    ['Sun', 0b1000000],
    ['mon-thu sat', 0b0101111],
    ['fri-mon', 0b1110001],
  ])('reads "%s"', (text, set) => {
    expect(parseWeekdays(text)).toBe(set);
  });

  it.each(['', 'monday', 'mon-', 'mon-tue-wed', '1', 'mon,tue'])('refuses "%s"', (text) => {
    expect(parseWeekdays(text)).toBeNull();
  });

  it('returns the weekday of a day', () => {
    expect(getWeekdayBit('2026-11-23')).toBe(1);
    expect(isOnWeekday(0b1100000, '2026-11-22')).toBe(true);
    expect(isOnWeekday(0b1100000, '2026-11-23')).toBe(false);
  });
});
