import { describe, expect, test } from 'vitest';
import { foldCode, foldText, matchesSearch, parseSearch } from '#domain/orders/order-search.ts';

const order = {
  names: ['Ada Lovelace', 'Zoë Ångström', 'Port Madrona', 'Friday Harbor'],
  codes: ['K7M4-QXPA', '5KJH 220', 'MAD', 'FRH'],
  days: ['2026-06-05', '2026-11-12'],
};
const finds = (text: string) => matchesSearch(order, parseSearch(text));

describe('a search', () => {
  test.each([
    ...['', 'lovelace', 'zoe angstrom', 'ÅNGSTRÖM', 'friday', 'port madrona', 'FRH'],
    ...['k7m4qxpa', 'K7M4 QXPA', '7m4-q', '5kjh220', '5KJH-220', '220'],
    ...['june 5', 'Jun 5, 2026', '5 June 2026', '5th june', '5. June', 'June', 'nov 2026', '2026'],
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

  test('has at most eight parts, and takes a day as one', () => {
    expect(parseSearch('a b c d e f g h i j')).toHaveLength(8);
    expect(parseSearch(' Ada,  june 5, 2026 ')).toEqual([
      { text: 'ada', code: 'ada', days: [] },
      { text: 'june 5 2026', code: 'june52026', days: [{ month: 6, day: 5, year: 2026 }] },
    ]);
  });

  test('also matches a name that begins like a month', () => {
    expect(matchesSearch({ names: ['Marie May'], codes: [], days: [] }, parseSearch('may mar'))).toBe(true);
  });
});

test('folding drops case and accents, and of codes everything but letters and digits', () => {
  expect(foldText('ÉÅñ ЖÜ')).toBe('ean жu');
  expect(foldCode('b-ÄB 1234')).toBe('bab1234');
});
