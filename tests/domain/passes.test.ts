import { describe, expect, test } from 'vitest';
import { findEndAfterPurchase, findEndAfterUse, getLastDay } from '#domain/passes/validity.ts';
import { buildPassTerms } from '#tests/factories/passes.ts';

const zone = 'America/Los_Angeles';
const now = Date.parse('2026-06-01T15:00:00Z');
const at = (text: string) => Date.parse(text);

describe('findEndAfterPurchase', () => {
  const year = buildPassTerms({ valid_days: 365 });

  test('is the end of the last day on the operator’s calendar', () => {
    const end = findEndAfterPurchase(year, { before: null, now, zone });
    expect(end).toBe(at('2027-06-02T07:00:00Z'));
    expect(getLastDay(end ?? 0, zone)).toBe('2027-06-01');
  });

  test('counts whole days over a clock change', () => {
    const week = buildPassTerms({ valid_days: 7 });
    const end = findEndAfterPurchase(week, { before: null, now: at('2026-10-30T19:00:00Z'), zone });
    expect(end).toBe(at('2026-11-07T08:00:00Z'));
  });

  test('never shortens a pass', () => {
    const before = at('2028-01-01T08:00:00Z');
    expect(findEndAfterPurchase(year, { before, now, zone })).toBe(before);
  });

  test('begins again after an expiry', () => {
    const before = at('2026-01-01T08:00:00Z');
    expect(findEndAfterPurchase(year, { before, now, zone })).toBe(at('2027-06-02T07:00:00Z'));
  });

  test('is open for a pass without an end, and before its first use', () => {
    const endless = buildPassTerms({ valid_days: null });
    const unused = buildPassTerms({ valid_from: 'first_use' });
    expect(findEndAfterPurchase(endless, { before: null, now, zone })).toBeNull();
    expect(findEndAfterPurchase(unused, { before: null, now, zone })).toBeNull();
    expect(findEndAfterPurchase(unused, { before: at('2026-01-01T08:00:00Z'), now, zone })).toBeNull();
  });

  test('begins at once if the pass is in use', () => {
    const unused = buildPassTerms({ valid_from: 'first_use', valid_days: 30 });
    const before = at('2026-06-05T07:00:00Z');
    expect(findEndAfterPurchase(unused, { before, now, zone })).toBe(at('2026-07-02T07:00:00Z'));
  });
});

describe('findEndAfterUse', () => {
  test('begins the days of a pass that counts from its first use, once', () => {
    const terms = buildPassTerms({ valid_from: 'first_use', valid_days: 30 });
    const end = findEndAfterUse(terms, { before: null, now, zone });
    expect(end).toBe(at('2026-07-02T07:00:00Z'));
    expect(findEndAfterUse(terms, { before: end, now: at('2026-06-20T15:00:00Z'), zone })).toBe(end);
  });

  test('changes nothing for a pass that counts from its purchase', () => {
    expect(findEndAfterUse(buildPassTerms(), { before: null, now, zone })).toBeNull();
  });
});
