import { describe, expect, it } from 'vitest';
import type { CapacityResource } from '#domain/fares/capacity.ts';
import {
  type AvailabilityInput,
  getAvailability,
  type ResourceCapacity,
} from '#domain/sailings/availability.ts';
import { describeAvailability } from '#sentences/availability.ts';
import { textsIn } from '#server/core/texts.ts';

const NOW = 1_000_000;
const t = textsIn('en');
const details = { statusText: '', refusal: '', phone: '' };

function buildRoom(resource: CapacityResource, changes: Partial<ResourceCapacity> = {}): ResourceCapacity {
  const total = resource.endsWith('_cm') ? 10_000 : 100;
  return { resource, total, sellableOnline: total, held: 0, sold: 0, ...changes };
}

function buildInput(changes: Partial<AvailabilityInput> = {}): AvailabilityInput {
  return {
    status: 'scheduled',
    salesCloseAt: NOW + 1,
    capacity: [buildRoom('passenger'), buildRoom('lane_cm'), buildRoom('bicycle')],
    needs: [{ resource: 'passenger', amount: 2 }],
    isRefused: false,
    hasFare: true,
    ...changes,
  };
}

function withPassengers(changes: Partial<ResourceCapacity>): Partial<AvailabilityInput> {
  return { capacity: [buildRoom('passenger', changes), buildRoom('lane_cm')] };
}

const aCar = [
  { resource: 'passenger', amount: 2 },
  { resource: 'lane_cm', amount: 530 },
] as const;

describe('availability', () => {
  it.each<[string, Partial<AvailabilityInput>, string, boolean, number | null]>([
    ['room for everyone', {}, 'on_sale', true, 9],
    ['nine places left', withPassengers({ sold: 91 }), 'low', true, 9],
    ['two places left for two', withPassengers({ sold: 90, held: 8 }), 'low', true, 2],
    ['one place left for two', withPassengers({ sold: 99 }), 'low', false, 1],
    ['no place left', withPassengers({ sold: 100 }), 'full', false, 0],
    ['no place left, some only held', withPassengers({ sold: 90, held: 10 }), 'full', false, 0],
    ['the online share used up', withPassengers({ sold: 90, sellableOnline: 90 }), 'closed_online', false, 0],
    ['a smaller boat than sold', withPassengers({ sold: 120, sellableOnline: 120 }), 'full', false, 0],
    ['online sales over', { salesCloseAt: NOW }, 'closed_online', false, null],
    [
      'online sales over, and full',
      { salesCloseAt: NOW, ...withPassengers({ sold: 100 }) },
      'closed_online',
      false,
      null,
    ],
    ['left already', { status: 'departed' }, 'closed_online', false, null],
    ['canceled', { status: 'canceled' }, 'canceled', false, null],
    ['suspended', { status: 'suspended' }, 'unknown', false, null],
    ['no fare', { hasFare: false, isRefused: true }, 'closed_online', false, null],
    ['no capacity known', { capacity: [] }, 'unknown', false, null],
    ['a party that may not', { isRefused: true }, 'on_sale', false, 9],
    ['a car that fits', { needs: aCar }, 'on_sale', true, 9],
    [
      'a deck too short for this car',
      { needs: aCar, capacity: [buildRoom('passenger'), buildRoom('lane_cm', { sold: 9600 })] },
      'low',
      false,
      9,
    ],
    [
      'a deck too short for any car',
      { needs: aCar, capacity: [buildRoom('passenger'), buildRoom('lane_cm', { sold: 9800 })] },
      'full',
      false,
      9,
    ],
    ['a boat without a deck', { needs: aCar, capacity: [buildRoom('passenger')] }, 'on_sale', false, 9],
  ])('is correct for a sailing with %s', (_, changes, state, fits, left) => {
    expect(getAvailability(buildInput(changes), NOW)).toMatchObject({ state, fits, left });
  });

  it('does not report a sailing as full when only its online sales have ended', () => {
    const closed = buildInput({ salesCloseAt: NOW - 1, ...withPassengers({ sold: 100 }) });
    const { state, reason } = getAvailability(closed, NOW);
    expect(state).toBe('closed_online');
    expect(describeAvailability(t, reason, { ...details, phone: '+1 206 555 0142' })).toBe(
      'Online sales have closed. Ask at the ticket booth or call +1 206 555 0142.',
    );
  });

  it('explains what to do when the last places are only held', () => {
    const { reason } = getAvailability(buildInput(withPassengers({ sold: 90, held: 10 })), NOW);
    expect(describeAvailability(t, reason, details)).toBe(
      'All passenger places are taken. Some may come back: look again in a few minutes.',
    );
  });

  it('measures fullness by lane length for a party with a vehicle', () => {
    const capacity = [buildRoom('passenger', { sold: 10 }), buildRoom('lane_cm', { sold: 4990 })];
    expect(getAvailability(buildInput({ capacity }), NOW).fullness_percent).toBe(10);
    expect(getAvailability(buildInput({ capacity, needs: aCar }), NOW).fullness_percent).toBe(49);
  });
});
