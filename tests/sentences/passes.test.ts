import { describe, expect, test } from 'vitest';
import { describePass } from '#sentences/passes.ts';
import { textsIn } from '#server/core/texts.ts';

describe('describePass', () => {
  const terms = {
    ...{ trips: 10, lines: null, lineNames: [], passengerTypes: null, passengerNames: [], vehicleName: null },
    ...{ validDays: 365, validFrom: 'purchase' as const },
  };

  test.each([
    [{}, '10 trips. One trip pays for one person on one way, also with a change of boats.'],
    [
      { passengerTypes: ['adult'], passengerNames: ['Adult'] },
      'One trip pays for one person (Adult) on one way',
    ],
    [
      { passengerTypes: [], vehicleName: 'Car' },
      'One trip pays for one vehicle (Car) with its driver on one way',
    ],
    [{ vehicleName: 'Car' }, 'One trip pays for one person or one vehicle (Car) with its driver on one way'],
    [{}, 'Valid on every line.'],
    [{ lines: ['a', 'b'], lineNames: ['Sound', 'Islands'] }, 'Valid on: Sound; Islands.'],
    [{}, 'Travel must begin within 365 days after you buy it.'],
    [
      { validFrom: 'first_use' as const, validDays: 1 },
      'Travel must begin within 1 day after you first use it.',
    ],
    [{ validDays: null }, 'It does not expire.'],
  ])('%j: %s', (change, sentence) => {
    expect(describePass(textsIn('en'), 'en', { ...terms, ...change }).join(' ')).toContain(sentence);
  });
});
