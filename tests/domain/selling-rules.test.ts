import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { capacityNeeded } from '#domain/capacity.ts';
import { checkPromo, type PromoTerms } from '#domain/discounts.ts';
import { type DisplayStatus, displayStatus, type OrderFacts } from '#domain/order-status.ts';
import { describePolicy } from '#domain/policy-text.ts';
import { createReference, parseReference, REFERENCE_ALPHABET } from '#domain/reference.ts';

const car = {
  lengthRequired: true,
  heightRequired: false,
  minLengthCm: null,
  maxLengthCm: null,
  maxHeightCm: null,
  fixedLaneCm: null,
  allowsTrailer: true,
  gapCm: 50,
};
const vessel = { normalClearanceCm: 220 };

test('infants take a place like everyone, and a vehicle its length, its trailer and a gap', () => {
  const party = {
    passengers: [
      { type: 'adult', count: 2 },
      { type: 'infant', count: 1 },
    ],
    vehicle: { type: 'car', length_cm: 480, trailer_cm: 300 },
    bicycles: 2,
  };
  expect(capacityNeeded(party, car, vessel)).toEqual([
    { resource: 'passenger', amount: 3 },
    { resource: 'lane_cm', amount: 830 },
    { resource: 'bicycle', amount: 2 },
  ]);
});

test('only a vehicle higher than the normal deck takes the tall lane', () => {
  const laneAt = (height_cm?: number) => {
    const vehicle = { type: 'car', length_cm: 480, ...(height_cm ? { height_cm } : {}) };
    return capacityNeeded({ passengers: [], vehicle, bicycles: 0 }, car, vessel)[0]?.resource;
  };
  expect([laneAt(), laneAt(220), laneAt(221)]).toEqual(['lane_cm', 'lane_cm', 'tall_lane_cm']);
});

const promo: PromoTerms = {
  code: 'TEN',
  kind: 'percent_bp',
  value: 1000,
  routeCodes: null,
  startsOn: '2026-06-01',
  endsOn: '2026-06-30',
  maxRedemptions: 2,
  redeemed: 1,
  active: true,
};

test('a promo code is good from its first to its last day, until it is used up', () => {
  expect([checkPromo(promo, '2026-06-01'), checkPromo(promo, '2026-06-30')]).toEqual([null, null]);
  expect([checkPromo(promo, '2026-05-31'), checkPromo(promo, '2026-07-01')]).toEqual([
    'promo_invalid',
    'promo_invalid',
  ]);
  expect(checkPromo({ ...promo, redeemed: 2 }, '2026-06-10')).toBe('promo_used_up');
  expect(checkPromo({ ...promo, active: false }, '2026-06-10')).toBe('promo_invalid');
});

test('a reference is read however it is typed', () => {
  const reference = createReference(() => 7);
  expect(reference).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
  for (const typed of [
    reference,
    reference.toLowerCase(),
    reference.replace('-', ''),
    ` ${reference.replace('-', ' – ')} `,
  ]) {
    expect(parseReference(typed)).toBe(reference);
  }
  for (const wrong of ['', 'K7M4', 'OOOO-IIII', `${reference}2`, 'ＡＡＡＡ-ＡＡＡＡ'])
    expect(parseReference(wrong)).toBeNull();
});

test('one wrong character, or two neighbours swapped, is always noticed', () => {
  const index = fc.nat(REFERENCE_ALPHABET.length - 1);
  const body = fc.array(index, { minLength: 7, maxLength: 7 });
  void fc.assert(
    fc.property(body, fc.nat(7), index, fc.nat(6), (digits, place, other, swap) => {
      const next = digits.values();
      const code = createReference(() => next.next().value ?? 0).replace('-', '');
      const wrong = [...code];
      wrong[place] = REFERENCE_ALPHABET.charAt(other);
      expect(parseReference(wrong.join('')) !== null).toBe(wrong.join('') === code);
      const swapped = [...code];
      [swapped[swap], swapped[swap + 1]] = [code.charAt(swap + 1), code.charAt(swap)];
      expect(parseReference(swapped.join('')) !== null).toBe(swapped.join('') === code);
    }),
  );
});

test('a fare’s rules read as sentences, most useful first', () => {
  expect(
    describePolicy(
      {
        change: { allowed: true, fee: 1000, until_minutes: 120 },
        cancel: [
          { until_minutes_before: 1440, refund_bp: 8000, fee: 500 },
          { until_minutes_before: 10_080, refund_bp: 10_000, fee: 0 },
        ],
        no_show: 'forfeit',
      },
      'USD',
    ),
  ).toEqual([
    'Cancel until 7 days before departure: full refund.',
    'Cancel until 24 hours before departure: 80% back, less $5.00.',
    'After that, no money back.',
    'Change your sailing until 2 hours before departure for $10.00.',
    'The ticket is lost if you miss the boat.',
  ]);
  expect(
    describePolicy(
      { change: { allowed: false, fee: 0, until_minutes: 0 }, cancel: [], no_show: 'travel_next_same_day' },
      'USD',
    ),
  ).toEqual([
    'No money back when you cancel.',
    'No changes after buying.',
    'Missed the boat? Take any later one on the same day, if there is room.',
  ]);
});

const now = Date.parse('2026-06-01T20:00:00Z');
const leg = (departs: string, ticketStatuses = ['issued']) => ({
  departsAt: Date.parse(departs),
  arrivesAt: Date.parse(departs) + 3_600_000,
  departsZone: 'America/Los_Angeles',
  ticketStatuses,
});
const order = (facts: Partial<OrderFacts>): OrderFacts => ({
  status: 'confirmed',
  paymentStatus: 'paid',
  needsAttention: null,
  legs: [leg('2026-06-05T20:00:00Z')],
  ...facts,
});

test.for<[string, Partial<OrderFacts>, DisplayStatus]>([
  ['held', { status: 'held' }, 'paying'],
  ['waiting for payment', { status: 'awaiting_payment' }, 'paying'],
  ['lapsed', { status: 'expired' }, 'expired'],
  ['given up', { status: 'cancelled', paymentStatus: 'none' }, 'cancelled'],
  ['paid back', { status: 'cancelled', paymentStatus: 'refunded' }, 'refunded'],
  ['days ahead', {}, 'upcoming'],
  ['tonight at the port, tomorrow in UTC', { legs: [leg('2026-06-02T06:00:00Z')] }, 'today'],
  ['tomorrow at the port', { legs: [leg('2026-06-02T08:00:00Z')] }, 'upcoming'],
  ['aboard', { legs: [leg('2026-06-01T19:30:00Z', ['boarded', 'issued'])] }, 'boarded'],
  ['arrived', { legs: [leg('2026-06-01T10:00:00Z', ['boarded'])] }, 'used'],
  [
    'there and not yet back',
    { legs: [leg('2026-06-01T10:00:00Z'), leg('2026-06-03T10:00:00Z')] },
    'upcoming',
  ],
  ['sailing cancelled', { needsAttention: 'sailing_cancelled' }, 'action_needed'],
  ['sailing moved', { needsAttention: 'sailing_changed' }, 'changed'],
  ['completed', { status: 'completed' }, 'used'],
])('an order %s shows as its passenger would say it', ([, facts, expected]) => {
  expect(displayStatus(order(facts), now)).toBe(expected);
});
