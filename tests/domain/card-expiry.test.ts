import { describe, expect, test } from 'vitest';
import { checkCardExpiry, countMonths } from '#domain/payments/card-expiry.ts';

describe('a card', () => {
  test.for([
    ['2026-02-28', 2, 2026, false, true],
    ['2026-03-01', 2, 2026, true, false],
    ['2028-02-29', 2, 2028, false, true],
    ['2028-03-01', 2, 2028, true, false],
    ['2026-12-31', 12, 2026, false, true],
    ['2027-01-01', 12, 2026, true, false],
    ['2026-11-01', 12, 2026, false, true],
    ['2026-10-31', 12, 2026, false, false],
  ] as const)(
    'on %s, good through %i/%i, is expired: %s, soon: %s',
    ([today, month, year, isExpired, expiresSoon]) => {
      expect(checkCardExpiry({ month, year }, today)).toMatchObject({ isExpired, expiresSoon });
      expect(countMonths(today) > year * 12 + month).toBe(isExpired);
    },
  );

  test('shows its expiry date as it is printed', () => {
    expect(checkCardExpiry({ month: 3, year: 2031 }, '2026-01-01').expDate).toBe('03/31');
    expect(checkCardExpiry({ month: 12, year: 2105 }, '2026-01-01').expDate).toBe('12/05');
  });
});
