// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { PhoneSchema } from '#contract/common.ts';
import { formatPhone, isPhone } from '#web/features/site/phone.ts';

describe('phone numbers', () => {
  test.each([
    ['+12065550142', '+1 206 555 0142'],
    ['+1 (206) 555-0142', '+1 206 555 0142'],
    ['+442079460958', '+44 207 946 0958'],
    ['+358401234567', '+358 401 234 567'],
    ['+79161234567', '+7 916 123 4567'],
    ['2065550142', '206 555 0142'],
    ['', ''],
    ['ask Robin', 'ask Robin'],
  ])('%s is shown as "%s"', (number, shown) => {
    expect(formatPhone(number)).toBe(shown);
  });

  test.each([
    '+1 206 555 0142',
    '',
    '555-0142',
    '+49.30.1234567',
    '12345',
    'x',
    '+',
    '++1206555',
    '1'.repeat(16),
  ])('"%s" is accepted here only if the server accepts it', (text) => {
    expect(isPhone(text)).toBe(PhoneSchema.safeParse(text).success);
  });

  test('grouping does not change the stored number', () => {
    for (let length = 6; length <= 15; length += 1) {
      const number = `+${'4'.repeat(length)}`;
      expect(PhoneSchema.parse(formatPhone(number))).toBe(number);
    }
  });
});
