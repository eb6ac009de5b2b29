import { describe, expect, it } from 'vitest';
import { getSailingStatus, type SailingStatusInput } from '#domain/sailings/sailing-status.ts';

const MINUTE = 60_000;
const DEPARTS = 1000 * MINUTE;

function buildSailing(changes: Partial<SailingStatusInput> = {}): SailingStatusInput {
  return {
    decided: 'scheduled',
    departsAt: DEPARTS,
    arrivesAt: DEPARTS + 35 * MINUTE,
    delayMinutes: 0,
    checkInOpensAt: DEPARTS - 60 * MINUTE,
    checkInClosesAt: DEPARTS - 10 * MINUTE,
    ...changes,
  };
}

describe('the status of a sailing', () => {
  it.each([
    [-61, 'scheduled'],
    [-60, 'check_in_open'],
    [-11, 'check_in_open'],
    [-10, 'check_in_closed'],
    [-1, 'check_in_closed'],
    [0, 'departed'],
    [34, 'departed'],
    [35, 'arrived'],
  ] as const)('is %i minutes from departure: %s', (minutes, status) => {
    expect(getSailingStatus(buildSailing(), DEPARTS + minutes * MINUTE)).toBe(status);
  });

  it('departs and arrives later when it is late, but closes check-in on time', () => {
    const late = buildSailing({ delayMinutes: 20 });
    expect(getSailingStatus(late, DEPARTS - 10 * MINUTE)).toBe('check_in_closed');
    expect(getSailingStatus(late, DEPARTS + 19 * MINUTE)).toBe('check_in_closed');
    expect(getSailingStatus(late, DEPARTS + 20 * MINUTE)).toBe('departed');
    expect(getSailingStatus(late, DEPARTS + 55 * MINUTE)).toBe('arrived');
  });

  it.each(['canceled', 'suspended'] as const)('stays %s at any time', (decided) => {
    expect(getSailingStatus(buildSailing({ decided }), DEPARTS + 100 * MINUTE)).toBe(decided);
  });
});
