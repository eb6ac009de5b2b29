// @vitest-environment node
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { setTextLanguage } from '#web/language/page-language.ts';
import { addDays, daysInMonth, isIsoDate } from '#web/ui/calendar/calendar.ts';
import {
  addMonths,
  countDaysIntoWeek,
  decadePage,
  formatLong,
  monthPage,
} from '#web/ui/calendar/calendar-pages.ts';
import { abbreviateTyped, describeTyped, formatTyped, parseTyped } from '#web/ui/calendar/typed-date.ts';

fc.configureGlobal({ seed: 20260724 });

afterEach(() => setTextLanguage('en-US'));

const anyDay = fc
  .date({ min: new Date('1600-01-01T00:00:00Z'), max: new Date('2999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('adding days agrees with the Gregorian calendar over fourteen centuries', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -100_000, max: 100_000 }), (iso, days) => {
      expect(addDays(iso, days)).toBe(Temporal.PlainDate.from(iso).add({ days }).toString());
    }),
  );
});

test('adding months keeps the day of the month or takes the last day of the month', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -500, max: 500 }), (iso, months) => {
      expect(addMonths(iso, months)).toBe(Temporal.PlainDate.from(iso).add({ months }).toString());
    }),
  );
  expect(addMonths('2024-01-31', 1)).toBe('2024-02-29');
});

test.each([
  ['en-US', 0],
  ['en-GB', 0],
  ['de', 1],
  ['nb', 1],
  ['fr', 1],
  ['fr-CA', 0],
])('weeks in %s start on day %i', (language, firstWeekday) => {
  setTextLanguage(language);
  fc.assert(
    fc.property(anyDay, (iso) => {
      const weekday = Temporal.PlainDate.from(iso).dayOfWeek % 7;
      expect(countDaysIntoWeek(iso)).toBe((weekday - firstWeekday + 7) % 7);
    }),
  );
});

test('a month page has 42 consecutive days from the Sunday on or before the first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1700, max: 2900 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
      const page = monthPage(year, month);
      expect(page).toHaveLength(42);
      expect(Temporal.PlainDate.from(page[0]!).dayOfWeek).toBe(7);
      expect(page.filter((iso) => Number(iso.slice(5, 7)) === month)).toHaveLength(daysInMonth(year, month));
      expect(page.every((iso, index) => iso === addDays(page[0]!, index))).toBe(true);
    }),
  );
});

test('a decade page has 12 years: the decade and one year on either side', () => {
  expect(decadePage(2026)).toEqual([2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026, 2027, 2028, 2029, 2030]);
});

test('typed text is parsed as month/day/year and formatted the same way', () => {
  fc.assert(fc.property(anyDay, (iso) => parseTyped(formatTyped(iso)) === iso));
  expect(formatTyped('2026-07-04')).toBe('07/04/2026');
  expect(['7/4/2026', '07-04-2026', '7/4/26', '07042026', ' 7 / 4 / 2026 '].map(parseTyped)).toEqual(
    Array(5).fill('2026-07-04'),
  );
});

test.each(['2026-12-31', '2026/12/31', '31.12.2026', '12.31.2026', '31. 12. 26'])(
  '%s is read as the last day of 2026',
  (text) => {
    expect(parseTyped(text)).toBe('2026-12-31');
  },
);

test('a date with dots is parsed only if the order of day and month is certain', () => {
  expect(['7.4.2026', '07.04.26'].map(parseTyped)).toEqual([null, null]);
  expect(parseTyped('7.7.2026')).toBe('2026-07-07');
});

describe.each([
  ['en-US', 'month/day/year', 'mm/dd/yyyy', '07/04/2026'],
  ['en-GB', 'month/day/year', 'mm/dd/yyyy', '07/04/2026'],
  ['de-DE', 'Tag.Monat.Jahr', 'TT.MM.JJJJ', '04.07.2026'],
  ['nb', 'dag.måned.år', 'dd.mm.åååå', '04.07.2026'],
  ['fr', 'jour/mois/année', 'jj/mm/aaaa', '04/07/2026'],
  ['fr-CA', 'année-mois-jour', 'aaaa-mm-jj', '2026-07-04'],
])('in %s', (language, order, letters, formatted) => {
  test(`dates are typed as ${order}, ${letters}`, () => {
    setTextLanguage(language);
    expect(formatTyped('2026-07-04')).toBe(formatted);
    expect(describeTyped()).toBe(order);
    expect(abbreviateTyped()).toBe(letters);
  });

  test('a date is read as it is written, with and without separators', () => {
    setTextLanguage(language);
    fc.assert(
      fc.property(anyDay, (iso) => {
        const typed = formatTyped(iso);
        expect([typed, typed.replaceAll(/\D/g, '')].map(parseTyped)).toEqual([iso, iso]);
      }),
    );
  });
});

test('a date without its year first is read from the day on in German, and only if it is certain in Canadian French', () => {
  const typed = ['4.7.2026', '4/7/26', '24-7-2026', '7/24/2026', '2026-7-4', '2026704'];
  setTextLanguage('de');
  expect(typed.map(parseTyped)).toEqual(['2026-07-04', '2026-07-04', '2026-07-24', null, '2026-07-04', null]);
  setTextLanguage('fr-CA');
  expect(typed.map(parseTyped)).toEqual([null, null, '2026-07-24', '2026-07-24', '2026-07-04', null]);
});

test('a day that does not exist is not parsed', () => {
  expect(
    [
      '2/30/2026',
      '2/29/2026',
      '13/1/2026',
      '0/1/2026',
      '1/0/2026',
      '24/7/2026',
      '',
      'soon',
      '7/4',
      '2026-02-30',
    ].map(parseTyped),
  ).toEqual(Array(10).fill(null));
  expect(parseTyped('2/29/2028')).toBe('2028-02-29');
  expect(isIsoDate('2026-02-29')).toBe(false);
  expect(isIsoDate('2028-02-29')).toBe(true);
});

test('formatLong writes the weekday, month, day and year', () => {
  expect(formatLong('2026-07-04')).toBe('Saturday, July 4, 2026');
});
