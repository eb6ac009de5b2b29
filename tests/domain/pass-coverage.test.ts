import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LegName } from '#contract/orders/buy/legs.ts';
import { type PassTrip, planCoverage, sumCoverage } from '#domain/passes/coverage.ts';
import { planTripRefund } from '#domain/passes/refund-trips.ts';
import { getPaidAmounts } from '#domain/refunds/paid-amounts.ts';
import { buildPassTerms } from '#tests/factories/passes.ts';

type Lines = Parameters<typeof planCoverage>[0]['lines'];
let made = 0;
function line(
  leg: LegName,
  typeCode: string | null,
  unitAmount: number,
  quantity = 1,
  kind: Lines[number]['kind'] = 'passenger',
): Lines[number] {
  made += 1;
  const amount = unitAmount * quantity;
  return {
    ...{ id: `line-${made}`, leg, kind, typeCode, item: null, description: typeCode ?? kind },
    ...{ quantity, unitAmount, amount, taxBp: 0, tax: 0, taxParts: null },
  };
}

function plan(lines: Lines, over: Partial<Parameters<typeof planCoverage>[0]> = {}): PassTrip[] {
  const legs = [...new Set(lines.map(({ leg }) => leg))];
  return planCoverage({
    lines,
    legs: legs.map((leg) => ({ leg, line: 'sound', departsAt: 1000 })),
    total: lines.reduce((sum, { amount }) => sum + amount, 0),
    currency: 'USD',
    terms: buildPassTerms(),
    available: 100,
    expiresAt: null,
    ...over,
  });
}

describe('planCoverage', () => {
  test('counts both boats of a journey as one trip', () => {
    const lines = [line('out', 'adult', 800), line('out_onward', 'adult', 500)];
    expect(plan(lines)).toEqual([{ direction: 'out', party_index: 1, amount: 1300 }]);
  });

  test('covers no journey with a boat on another line', () => {
    const lines = [line('out', 'adult', 800), line('out_onward', 'adult', 500), line('back', 'adult', 900)];
    const legs = (['out', 'out_onward', 'back'] as const).map((leg) => ({
      ...{ leg, line: leg === 'out_onward' ? 'other' : 'sound', departsAt: 1000 },
    }));
    const terms = buildPassTerms({ lines: ['sound'] });
    expect(plan(lines, { legs, terms })).toEqual([{ direction: 'back', party_index: 1, amount: 900 }]);
  });

  test('covers what was paid after discounts', () => {
    const lines = [line('out', 'adult', 1000, 2), line('out', null, -500, 1, 'discount')];
    expect(sumCoverage(plan(lines))).toBe(1500);
  });

  test('takes the dearest first, and no trip for free tickets', () => {
    const lines = [line('out', 'infant', 0), line('out', 'child', 400, 2), line('out', 'adult', 900)];
    expect(plan(lines, { available: 2 }).map(({ amount }) => amount)).toEqual([900, 400]);
    expect(plan(lines)).toHaveLength(3);
  });

  test('leaves a rest that a payment card can be charged', () => {
    const lines = [line('out', 'adult', 1000, 2), line('out', null, 30, 1, 'bicycle')];
    expect(sumCoverage(plan(lines))).toBe(1000);
  });

  test('covers a journey that begins before the pass ends', () => {
    const lines = [line('out', 'adult', 1000)];
    expect(plan(lines, { expiresAt: 1001 })).toHaveLength(1);
    expect(plan(lines, { expiresAt: 1000 })).toEqual([]);
  });
});

const party = fc.record({
  adults: fc.integer({ min: 1, max: 4 }),
  children: fc.integer({ min: 0, max: 3 }),
  adultFare: fc.integer({ min: 50, max: 3000 }),
  childFare: fc.integer({ min: 0, max: 2000 }),
  discount: fc.integer({ min: 0, max: 50 }),
  journeys: fc.constantFrom<LegName[]>(
    ['out'],
    ['out', 'back'],
    ['out', 'out_onward'],
    ['out', 'out_onward', 'back'],
  ),
  available: fc.integer({ min: 0, max: 12 }),
});

function buildLines({
  adults,
  children,
  adultFare,
  childFare,
  discount,
  journeys,
}: typeof party extends fc.Arbitrary<infer P> ? P : never) {
  return journeys.flatMap((leg) => [
    line(leg, 'adult', adultFare, adults),
    ...(children > 0 ? [line(leg, 'child', childFare, children)] : []),
    ...(discount > 0 ? [line(leg, null, -discount, 1, 'discount')] : []),
  ]);
}

test('what trips and money pay is the total, and trips go back once, for any order of cancellations', () => {
  fc.assert(
    fc.property(
      party,
      fc.infiniteStream(fc.nat(100)),
      fc.array(fc.boolean(), { maxLength: 40 }),
      (order, random, refundable) => {
        const lines = buildLines(order);
        const total = lines.reduce((sum, { amount }) => sum + amount, 0);
        const coverage = plan(lines, { available: order.available });
        const rest = total - sumCoverage(coverage);
        expect(rest === 0 || rest >= 50).toBe(true);
        expect(coverage.length).toBeLessThanOrEqual(order.available);
        expect(coverage.every(({ amount }) => amount > 0)).toBe(true);

        const tickets = order.journeys.flatMap((leg) => {
          const own = lines.filter((each) => each.leg === leg);
          const paid = getPaidAmounts(own, 'USD');
          return own
            .flatMap(({ id }) => paid.get(id) ?? [])
            .map((amount, index) => ({
              id: `${leg}-${index}`,
              paid: amount,
              trip: {
                direction: leg.startsWith('back') ? ('back' as const) : ('out' as const),
                party_index: index + 1,
              },
            }))
            .filter(({ trip }) =>
              coverage.some(
                (each) => each.direction === trip.direction && each.party_index === trip.party_index,
              ),
            );
        });
        const shuffled = tickets
          .map((ticket) => ({ ticket, at: random.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ ticket }, index) => ({ ...ticket, isRefundable: refundable[index] ?? true }));
        let left = sumCoverage(coverage);
        const returned: PassTrip[] = [];
        for (const ticket of shuffled) {
          const { refund } = planTripRefund({ id: 'pay', coverage, left, returned }, [ticket]);
          left -= refund?.amount ?? 0;
          returned.push(...(refund?.trips ?? []).map((trip) => ({ ...trip, amount: 0 })));
          expect(left).toBeGreaterThanOrEqual(0);
        }
        const keys = returned.map(({ direction, party_index: index }) => `${direction} ${index}`);
        expect(new Set(keys).size).toBe(keys.length);
        if (shuffled.every(({ isRefundable }) => isRefundable)) {
          expect(left).toBe(0);
          expect(returned).toHaveLength(coverage.length);
        }
      },
    ),
    { numRuns: 300, seed: 7 },
  );
});
