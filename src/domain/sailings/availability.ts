import type { Availability } from '#contract/sailings/schemas.ts';
import type { CapacityItem, CapacityResource } from '../fares/capacity.ts';
import type { SailingStatus } from './sailing-status.ts';

export type ResourceCapacity = {
  resource: CapacityResource;
  total: number;
  sellableOnline: number;
  held: number;
  sold: number;
};

/** What decides whether a party can buy a sailing. Instants in milliseconds since 1970. */
export type AvailabilityInput = {
  status: SailingStatus;
  salesCloseAt: number;
  capacity: readonly ResourceCapacity[];
  /** Capacity the party needs. */
  needs: readonly CapacityItem[];
  /** Whether the party cannot be sold regardless of capacity. */
  isRefused: boolean;
  /** Whether a fare exists: without one the ticket is sold only at the booth. */
  hasFare: boolean;
};

/** What a state is due to. */
export type AvailabilityReason =
  | { code: 'canceled' | 'suspended' | 'departed' | 'sales_closed' | 'not_sold_online' }
  | { code: 'unknown' | 'party_refused' }
  /** How much of a resource is left, of the one that `fullness_percent` is about. */
  | { code: 'nearly_full' | 'filling_up' | 'available'; resource: CapacityResource }
  /** The boat has nothing of this kind. */
  | { code: 'not_on_board'; resource: CapacityResource }
  /** Some is left, but less than the party needs; `left` counts passenger places and bicycle spaces. */
  | { code: 'too_little_left'; resource: CapacityResource; left: number }
  | { code: 'few_left'; left: number }
  | { code: 'online_share_sold'; resource: CapacityResource }
  /** `mayComeBack`: some of it is only held. */
  | { code: 'sold_out'; resource: CapacityResource; mayComeBack: boolean };

type Result = Omit<Availability, 'as_of' | 'text'> & { reason: AvailabilityReason };

/** The exact number of free passenger places above this is confidential. */
const MAX_SHOWN = 9;
/** Percentage from which a sailing is called nearly full. */
const NEARLY_FULL = 90;
/** And from which it is called filling up. */
const FILLING_UP = 70;
/** Shorter than any car: with less lane length than this the deck is full. */
const NO_CAR_CM = 300;

/**
 * Decides whether a party can buy a sailing online, and why not. `full` means that a resource the party needs is used up;
 * if only the online share or the online sales period has ended it is `closed_online`.
 */
export function getAvailability(input: AvailabilityInput, now: number): Result {
  const closed = checkSalesOpen(input, now);
  if (closed) return { ...closed, fits: false, left: null, fullness_percent: fullness(input) };
  const passengers = findCapacity('passenger', input);
  if (!passengers) return unknown;
  const online = countFreeOnline(passengers);
  const open = { left: Math.min(MAX_SHOWN, online), fullness_percent: fullness(input) };
  const short = findShortage(input);
  if (short) return { ...explainShortage(short, input), fits: false, ...open };
  if (input.isRefused) return { state: 'on_sale', fits: false, ...open, reason: { code: 'party_refused' } };
  if (online <= MAX_SHOWN) {
    return { state: 'low', fits: true, ...open, reason: { code: 'few_left', left: online } };
  }
  const { resource } = findDecisiveRoom(input) ?? passengers;
  const percent = open.fullness_percent ?? 0;
  if (percent >= NEARLY_FULL) {
    return { state: 'low', fits: true, ...open, reason: { code: 'nearly_full', resource } };
  }
  const code = percent >= FILLING_UP ? 'filling_up' : 'available';
  return { state: 'on_sale', fits: true, ...open, reason: { code, resource } };
}

const unknown: Result = {
  state: 'unknown',
  fits: false,
  left: null,
  fullness_percent: null,
  reason: { code: 'unknown' },
};

/** The places left for sale; on a smaller vessel more may be taken than is sellable online. */
export function countFreeOnline({ sellableOnline, held, sold }: ResourceCapacity): number {
  return Math.max(0, sellableOnline - held - sold);
}

/** Why online sales are closed for every party; null if they are open. */
function checkSalesOpen(input: AvailabilityInput, now: number): Pick<Result, 'state' | 'reason'> | null {
  switch (input.status) {
    case 'canceled':
      return { state: 'canceled', reason: { code: 'canceled' } };
    case 'suspended':
      return { state: 'unknown', reason: { code: 'suspended' } };
    case 'departed':
    case 'arrived':
      return { state: 'closed_online', reason: { code: 'departed' } };
    default:
      if (now >= input.salesCloseAt) return { state: 'closed_online', reason: { code: 'sales_closed' } };
      return input.hasFare ? null : { state: 'closed_online', reason: { code: 'not_sold_online' } };
  }
}

/** The first resource that the party lacks; a sailing without a free place lacks places for everyone. */
function findShortage(input: AvailabilityInput): CapacityItem | undefined {
  const needs: CapacityItem[] = [{ resource: 'passenger', amount: 1 }, ...input.needs];
  return needs.find((need) => {
    const room = findCapacity(need.resource, input);
    return !room || countFreeOnline(room) < need.amount;
  });
}

function explainShortage(
  { resource }: CapacityItem,
  input: AvailabilityInput,
): Pick<Result, 'state' | 'reason'> {
  const room = findCapacity(resource, input);
  if (!room) return { state: 'on_sale', reason: { code: 'not_on_board', resource } };
  const leastUseful = resource === 'passenger' || resource === 'bicycle' ? 1 : NO_CAR_CM;
  const left = countFreeOnline(room);
  if (left >= leastUseful) return { state: 'low', reason: { code: 'too_little_left', resource, left } };
  if (room.total - room.held - room.sold >= leastUseful) {
    return { state: 'closed_online', reason: { code: 'online_share_sold', resource } };
  }
  const mayComeBack = room.held >= leastUseful;
  return { state: 'full', reason: { code: 'sold_out', resource, mayComeBack } };
}

/** Percentage taken of the resource that matters to the party. */
function fullness(input: AvailabilityInput): number | null {
  const room = findDecisiveRoom(input);
  if (!room || room.total === 0) return null;
  return Math.min(100, Math.floor(((room.held + room.sold) * 100) / room.total));
}

/** Lane length for a vehicle, otherwise passenger places. */
function findDecisiveRoom(input: AvailabilityInput): ResourceCapacity | undefined {
  const lane = input.needs.find(({ resource }) => resource === 'lane_cm' || resource === 'tall_lane_cm');
  return (lane && findCapacity(lane.resource, input)) ?? findCapacity('passenger', input);
}

function findCapacity(
  resource: CapacityResource,
  { capacity }: AvailabilityInput,
): ResourceCapacity | undefined {
  return capacity.find((room) => room.resource === resource && room.total > 0);
}
