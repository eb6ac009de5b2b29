import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatInstant } from '#domain/format/dates.ts';
import { foldCode, foldText, matchesSearch, parseSearch } from '#domain/orders/order-search.ts';

fc.configureGlobal({ seed: 20260724 });

const LANGUAGES = ['en-US', 'en-GB', 'de', 'de-AT', 'nb', 'fr', 'fr-CA'];
const order = {
  names: ['Ada Lovelace', 'Zoë Ångström', 'Port Madrona', 'Friday Harbor'],
  codes: ['K7M4-QXPA', '5KJH 220', 'MAD', 'FRH'],
  days: ['2026-06-05', '2026-11-12'],
};
const finds = (text: string, language = 'en-US') => matchesSearch(order, parseSearch(text, language));

describe('a search', () => {
  test.each([
    ...['', 'lovelace', 'zoe angstrom', 'ÅNGSTRÖM', 'friday', 'port madrona', 'FRH'],
    ...['k7m4qxpa', 'K7M4 QXPA', '7m4-q', '5kjh220', '5KJH-220', '220'],
    ...['june 5', 'Jun 5, 2026', '5 June 2026', '5th june', '5. June', 'June', 'nov 2026', '2026'],
    ...['Fri, June 5, 2026', 'friday june', 'thu nov 12'],
    ...['2026-06-05', '6/5', '5/6/2026', '5.6.', '12/11', 'ada june 5 madrona'],
  ])('finds the order by %j', (text) => {
    expect(finds(text)).toBe(true);
  });

  test.each([
    ...['lovelace hopper', 'K7M5', 'seattle', '-', 'ada july'],
    ...['june 6', 'june 5 2027', '5 november', '13/13', '0/5', '2025-06-05'],
  ])('does not find it by %j', (text) => {
    expect(finds(text)).toBe(false);
  });

  test.each([
    ...['de', 'nb', 'fr'].flatMap((language) => [
      [language, '5 June 2026'],
      [language, 'nov'],
    ]),
    ...['5. Juni', 'Fr., 5. Juni 2026', 'Donnerstag, 12. November', '05.06.2026'].map((text) => ['de', text]),
    ...['5. juni', 'fre. 5. juni', 'torsdag 12. nov. 2026', '05.06.2026'].map((text) => ['nb', text]),
    ...['5 juin', 'ven. 5 juin 2026', 'jeudi 12 novembre', 'jui', '05/06/2026'].map((text) => ['fr', text]),
  ] as [string, string][])('in %s finds the order by %j', (language, text) => {
    expect(finds(text, language)).toBe(true);
  });

  test.each([
    ['de', '5. Juli'],
    ['de', 'Fr., 6. Juni'],
    ['nb', '5. mai'],
    ['fr', '5 juil.'],
    ['fr', '1er juin'],
    ['en-US', '5 juin'],
  ])('in %s does not find it by %j', (language, text) => {
    expect(finds(text, language)).toBe(false);
  });

  test.each(LANGUAGES)('finds an order by its day as it is shown in %s', (language) => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
        (date) => {
          const saved = { names: [], codes: [], days: [date.toISOString().slice(0, 10)] };
          const options = { language, zone: 'UTC' };
          for (const style of [
            'day',
            'longDay',
            'shortDay',
            'monthDay',
            'date',
            'monthOfYear',
            'shortMonth',
          ] as const) {
            const shown = formatInstant(style, date.getTime(), options);
            expect(matchesSearch(saved, parseSearch(shown, language)), shown).toBe(true);
          }
        },
      ),
    );
  });

  test('has at most eight parts, and takes a day as one', () => {
    expect(parseSearch('a b c d e f g h i j', 'en-US')).toHaveLength(8);
    expect(parseSearch(' Ada,  june 5, 2026 ', 'en-US')).toEqual([
      { text: 'ada', code: 'ada', days: [] },
      { text: 'june 5 2026', code: 'june52026', days: [{ month: 6, day: 5, year: 2026 }] },
    ]);
  });

  test('also matches a name that begins like a month', () => {
    expect(
      matchesSearch({ names: ['Marie May'], codes: [], days: [] }, parseSearch('may mar', 'en-US')),
    ).toBe(true);
  });
});

test('folding drops case and accents, and of codes everything but letters and digits', () => {
  expect(foldText('ÉÅñ ЖÜ')).toBe('ean жu');
  expect(foldCode('b-ÄB 1234')).toBe('bab1234');
});
