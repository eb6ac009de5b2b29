import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { getCapacityNeeded } from '#domain/fares/capacity.ts';
import { checkPromo, type PromoTerms } from '#domain/fares/discounts.ts';
import { type DisplayStatus, getDisplayStatus, type OrderStatusInput } from '#domain/orders/order-status.ts';
import { createReference, parseReference, REFERENCE_ALPHABET } from '#domain/orders/reference.ts';
import { describePolicy } from '#sentences/fare-policy.ts';
import { textsIn } from '#server/core/texts.ts';

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

test('infants take one place, and a vehicle takes its length, its trailer and a gap', () => {
  const party = {
    passengers: [
      { type: 'adult', count: 2 },
      { type: 'infant', count: 1 },
    ],
    vehicle: { type: 'car', length_cm: 480, trailer_cm: 300 },
    bicycles: 2,
  };
  expect(getCapacityNeeded(party, car, vessel)).toEqual([
    { resource: 'passenger', amount: 3 },
    { resource: 'lane_cm', amount: 830 },
    { resource: 'bicycle', amount: 2 },
  ]);
});

test('only a vehicle higher than the normal deck uses the tall lane', () => {
  const laneAt = (height_cm?: number) => {
    const vehicle = { type: 'car', length_cm: 480, ...(height_cm ? { height_cm } : {}) };
    return getCapacityNeeded({ passengers: [], vehicle, bicycles: 0 }, car, vessel)[0]?.resource;
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

test('a promo code is valid from its first to its last day, until it is used up', () => {
  expect([checkPromo(promo, '2026-06-01'), checkPromo(promo, '2026-06-30')]).toEqual([null, null]);
  expect([checkPromo(promo, '2026-05-31'), checkPromo(promo, '2026-07-01')]).toEqual([
    'promo_invalid',
    'promo_invalid',
  ]);
  expect(checkPromo({ ...promo, redeemed: 2 }, '2026-06-10')).toBe('promo_used_up');
  expect(checkPromo({ ...promo, active: false }, '2026-06-10')).toBe('promo_invalid');
});

test('a reference is accepted in any spelling', () => {
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

test('a reference with one wrong character or two swapped neighbours is always refused', () => {
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

describe('a fare’s rules', () => {
  const departure = { departsAt: Date.parse('2026-06-06T22:20:00Z'), zone: 'America/Los_Angeles' };
  const at = (instant: string) => (policy: FarePolicy) =>
    describePolicy(
      textsIn('en'),
      policy,
      { currency: 'USD', language: 'en-US' },
      [departure],
      Date.parse(instant),
    );
  const tiers: FarePolicy = {
    change: { allowed: true, fee: 1000, until_minutes: 120 },
    cancel: [
      { until_minutes_before: 1440, refund_bp: 8000, fee: 500 },
      { until_minutes_before: 10_080, refund_bp: 10_000, fee: 0 },
    ],
    no_show: 'forfeit',
  };

  test('name each deadline in the port’s time zone, the best refund first', () => {
    expect(at('2026-05-01T12:00:00Z')(tiers)).toEqual([
      'Full refund until Sat, May 30, 3:20 PM PDT.',
      '80% refund, less $5.00, until Fri, Jun 5, 3:20 PM PDT.',
      'No refund after that.',
      'Change your sailing for $10.00 until Sat, Jun 6, 1:20 PM PDT.',
      'If you miss the boat, your ticket is lost.',
    ]);
  });

  test('leave out a refund whose deadline has passed', () => {
    expect(at('2026-06-01T12:00:00Z')(tiers).slice(0, 2)).toEqual([
      '80% refund, less $5.00, until Fri, Jun 5, 3:20 PM PDT.',
      'No refund after that.',
    ]);
    expect(at('2026-06-05T22:20:00Z')(tiers)[0]).toMatch(/^80% refund/);
  });

  test('say after the last deadline that it is too late', () => {
    expect(at('2026-06-05T22:20:01Z')(tiers)[0]).toBe(
      'No refund: it is less than 24 hours before departure.',
    );
    expect(at('2026-06-06T21:00:00Z')(tiers)[1]).toBe(
      'No changes: it is less than 2 hours before departure.',
    );
  });

  test('say of a boat that has left that it has departed', () => {
    const sentences = at('2026-06-14T12:00:00Z')(tiers);
    expect(sentences.slice(0, 2)).toEqual([
      'No refund: the boat has departed.',
      'No changes: the boat has departed.',
    ]);
  });

  test('say that a strict fare allows no refund and no change', () => {
    expect(
      at('2026-06-01T12:00:00Z')({
        change: { allowed: false, fee: 0, until_minutes: 0 },
        cancel: [],
        no_show: 'travel_next_same_day',
      }),
    ).toEqual([
      'No refund.',
      'No changes.',
      'If you miss the boat, take any later one that day, if there is room.',
    ]);
  });

  test('say that a refund can go to a trip card, unless there is none', () => {
    const sentence = 'With an account, you can have a refund on your trip card at once.';
    const policy: FarePolicy = { ...tiers, refund_to: 'trip_card' };
    expect(at('2026-05-01T12:00:00Z')(policy)).toContain(sentence);
    expect(at('2026-05-01T12:00:00Z')({ ...policy, cancel: [] })).not.toContain(sentence);
    expect(at('2026-05-01T12:00:00Z')({ ...policy, refund_to: 'original' })).not.toContain(sentence);
  });

  test('say how long an open ticket of a canceled sailing lasts', () => {
    const policy: FarePolicy = { ...tiers, open_ticket_days: 7 };
    expect(at('2026-05-01T12:00:00Z')(policy)).toContain(
      'If we cancel your sailing, you can keep an open ticket and choose another sailing within 7 days.',
    );
  });

  test('end at departure if they are valid until then', () => {
    const open: FarePolicy = {
      change: { allowed: true, fee: 0, until_minutes: 0 },
      cancel: [{ until_minutes_before: 0, refund_bp: 10_000, fee: 0 }],
      no_show: 'forfeit',
    };
    expect(at('2026-06-06T22:00:00Z')(open).slice(0, 2)).toEqual([
      'Full refund until departure.',
      'Free change until departure.',
    ]);
    expect(at('2026-06-06T22:30:00Z')(open).slice(0, 2)).toEqual([
      'No refund: the boat has departed.',
      'No changes: the boat has departed.',
    ]);
  });
});

const now = Date.parse('2026-06-01T20:00:00Z');
const leg = (departs: string, ticketStatuses = ['issued']) => ({
  departsAt: Date.parse(departs),
  arrivesAt: Date.parse(departs) + 3_600_000,
  departsZone: 'America/Los_Angeles',
  ticketStatuses,
});
const order = (fields: Partial<OrderStatusInput>): OrderStatusInput => ({
  status: 'confirmed',
  paymentStatus: 'paid',
  needsAttention: null,
  legs: [leg('2026-06-05T20:00:00Z')],
  ...fields,
});

test.for<[string, Partial<OrderStatusInput>, DisplayStatus]>([
  ['held', { status: 'held' }, 'paying'],
  ['waiting for payment', { status: 'awaiting_payment' }, 'paying'],
  ['lapsed', { status: 'expired' }, 'expired'],
  ['given up', { status: 'canceled', paymentStatus: 'none' }, 'canceled'],
  ['paid back', { status: 'canceled', paymentStatus: 'refunded' }, 'refunded'],
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
  ['sailing canceled', { needsAttention: 'sailing_canceled' }, 'action_needed'],
  ['sailing moved', { needsAttention: 'sailing_changed' }, 'changed'],
  ['completed', { status: 'completed' }, 'used'],
])('an order %s is shown with its status in plain words', ([, fields, expected]) => {
  expect(getDisplayStatus(order(fields), now)).toBe(expected);
});
