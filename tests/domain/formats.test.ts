import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cardCurrencyCodes } from '#contract/payments/card-currencies.ts';
import { WebSettingsSchema } from '#contract/settings/schemas.ts';
import { formatInstant } from '#domain/format/dates.ts';
import { formatMoney, formatShortMoney } from '#domain/format/money.ts';
import { readNumber, writeSample } from '#tests/factories/currencies.ts';

const INSTANT = Date.parse('2026-11-28T14:40:00Z');

describe('formatMoney', () => {
  test.each(cardCurrencyCodes)('writes %s with the digits of ISO 4217', (currency) => {
    expect(readNumber(formatMoney(123_450, currency, 'en-US'))).toBe(writeSample(currency));
  });

  test('writes the symbol as the operator’s region does', () => {
    const amounts = ['en-US', 'en-NZ', 'sv-SE'].map((language) => formatMoney(1275, 'NZD', language));
    expect(amounts).toEqual(['NZ$12.75', '$12.75', 'NZ$12.75']);
  });

  test('leaves out decimals of zero where room is short', () => {
    const amounts = [2000, 2050].map((amount) => formatShortMoney(amount, 'USD', 'en-US'));
    expect([...amounts, formatShortMoney(20_000, 'KWD', 'en-US')]).toEqual(['$20', '$20.50', 'KWD\u00a020']);
  });
});

test('one file of the product creates the formatters of money and dates', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!sandbox).*\.tsx?$/.test(file),
  );
  const using = files.filter((file) =>
    /Intl\.(NumberFormat|DateTimeFormat)[(,]|toLocale(Date|Time)?String/.test(
      readFileSync(`src/${file}`, 'utf8'),
    ),
  );
  expect(using).toEqual(['messages/intl.ts']);
});

describe('formatInstant', () => {
  test.each([
    ['en-US', 'Sat, November 28, 2026', '2:40 PM', 'Sat, Nov 28, 2:40 PM'],
    ['en-GB', 'Sat, 28 November 2026', '14:40', 'Sat 28 Nov, 14:40'],
    ['en-NZ', 'Sat, 28 November 2026', '2:40 pm', 'Sat, 28 Nov, 2:40 pm'],
    ['sv-SE', 'Sat, November 28, 2026', '2:40 PM', 'Sat, Nov 28, 2:40 PM'],
  ])('writes English in the form of %s', (language, day, clock, both) => {
    const write = (style: 'day' | 'clock' | 'shortDayAndClock') =>
      formatInstant(style, INSTANT, { language, zone: 'UTC' });
    expect([write('day'), write('clock'), write('shortDayAndClock')]).toEqual([day, clock, both]);
  });

  test('writes the time of the zone', () => {
    expect(formatInstant('clock', INSTANT, { language: 'en-US', zone: 'America/Los_Angeles' })).toBe(
      '6:40 AM',
    );
  });
});

test('a language with the form of a tag that Intl refuses is no setting', () => {
  const accepts = (language: string) => WebSettingsSchema.shape.language.safeParse(language).success;
  expect(['en-NZ', 'nb', 'en-12'].map(accepts)).toEqual([true, true, false]);
});
