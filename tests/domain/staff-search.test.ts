import { describe, expect, test } from 'vitest';
import { createReference } from '#domain/orders/reference.ts';
import { parseStaffSearch } from '#domain/orders/staff-search.ts';

describe('parseStaffSearch', () => {
  test('reads words, and all of them as a code', () => {
    expect(parseStaffSearch(' Zoë  Lovelace-King ')).toEqual({
      alternatives: [['zoe', 'lovelace', 'king'], ['zoelovelaceking']],
      code: 'zoelovelaceking',
      lastFour: null,
      tripCardNumber: null,
      boardingCode: null,
      receiptNumber: null,
    });
    expect(parseStaffSearch('5kjh 220')?.code).toBe('5kjh220');
    expect(parseStaffSearch('k7m4-qxpa')?.alternatives).toContainEqual(['k7m4qxpa']);
  });

  test('reads the letters of a ticket, and the number of an invoice', () => {
    const letters = createReference(() => 7, ' ');
    expect(parseStaffSearch(letters.replace(' ', '').toLowerCase())?.boardingCode).toBe(letters);
    expect(parseStaffSearch('r-2026-000017')?.receiptNumber).toBe('R-2026-000017');
    expect(parseStaffSearch('2026-000017')?.receiptNumber).toBeNull();
  });

  test('reads a mail address as it is written, in lower case', () => {
    expect(parseStaffSearch('Ada.King@Example.com')?.alternatives).toEqual([['ada.king@example.com']]);
  });

  test.each(['+1 206 555 0123', '206-555-0123', '0206 5550123', '(206) 555 01 23'])(
    'reads the telephone number %s from its end, without leading zeros',
    (typed) => {
      const phone = parseStaffSearch(typed)?.alternatives.at(-1) ?? [];
      expect(phone.map((digits) => digits.slice(0, 11))).toEqual(['+3210555602']);
    },
  );

  test('reads four digits as the end of a payment card, and sixteen as a trip card', () => {
    expect(parseStaffSearch('4242')).toMatchObject({ lastFour: '4242', tripCardNumber: null });
    expect(parseStaffSearch('9000 0000 0000 0001')).toMatchObject({
      lastFour: null,
      tripCardNumber: '9000000000000001',
    });
  });

  test.each(['', '  ', 'ab', '--', '4 2'])('refuses %j as too short', (typed) => {
    expect(parseStaffSearch(typed)).toBeNull();
  });
});
