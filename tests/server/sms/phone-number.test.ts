import { expect, it } from 'vitest';
import { toInternationalNumber } from '#server/sms/phone-number.ts';

it.each([
  ['+4791234567', null, '+4791234567'],
  ['004791234567', '1', '+4791234567'],
  ['91234567', '47', '+4791234567'],
  ['07911123456', '44', '+447911123456'],
  ['0612345678', '39', '+390612345678'],
  ['91234567', null, null],
])('the number %s in the country %s is %s', (phone, countryCode, number) => {
  expect(toInternationalNumber(phone, countryCode)).toBe(number);
});
