import type { Availability } from '#contract/sailings/schemas.ts';
import type { CapacityItem, CapacityResource } from '../fares/capacity.ts';
import { describeCount } from '../fares/party.ts';
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
  statusText: string;
  salesCloseAt: number;
  capacity: readonly ResourceCapacity[];
  /** Capacity the party needs. */
  needs: readonly CapacityItem[];
  /** Why the party cannot be sold regardless of capacity; null if it can. */
  refusal: string | null;
  /** Whether a fare exists: without one the ticket is sold only at the booth. */
  hasFare: boolean;
  /** The booth's telephone; may be empty. */
  phone: string;
};

type Result = Omit<Availability, 'as_of'>;

/** The exact number of free passenger places above this is confidential. */
const MAX_SHOWN = 9;
/** Percentage from which a sailing is called nearly full. */
const NEARLY_FULL = 90;
/** Shorter than any car: with less lane length than this the deck is full. */
const NO_CAR_CM = 300;

/**
 * Decides whether a party can buy a sailing online, as a state and a sentence. `full` means that a resource the party
 * needs is used up; if only the online share or the online sales period has ended it is `closed_online`, and the
 * sentence says where tickets are still sold.
 */
export function getAvailability(input: AvailabilityInput, now: number): Result {
  const closed = checkSalesOpen(input, now);
  if (closed) return { ...closed, fits: false, left: null, fullness_percent: fullness(input) };
  const passengers = findCapacity('passenger', input);
  if (!passengers) return unknown;
  const online = countFreeOnline(passengers);
  const open = { left: Math.min(MAX_SHOWN, online), fullness_percent: fullness(input) };
  const short = findShortage(input);
  if (short) return { ...describeShortage(short, input), fits: false, ...open };
  if (input.refusal !== null) return { state: 'on_sale', fits: false, ...open, text: input.refusal };
  if (online <= MAX_SHOWN)
    return { state: 'low', fits: true, ...open, text: `Only ${describeCount(online, 'place')} left.` };
  if ((open.fullness_percent ?? 0) >= NEARLY_FULL) {
    return { state: 'low', fits: true, ...open, text: 'Nearly full. Buy soon.' };
  }
  return { state: 'on_sale', fits: true, ...open, text: 'Places available.' };
}

const unknown: Result = {
  state: 'unknown',
  fits: false,
  left: null,
  fullness_percent: null,
  text: 'We cannot say right now how much room there is. Ask at the ticket booth.',
};

/** The places left for sale; on a smaller vessel more may be taken than is sellable online. */
export function countFreeOnline({ sellableOnline, held, sold }: ResourceCapacity): number {
  return Math.max(0, sellableOnline - held - sold);
}

/** Why online sales are closed for every party; null if they are open. */
function checkSalesOpen(input: AvailabilityInput, now: number): Pick<Result, 'state' | 'text'> | null {
  const { status, statusText, phone } = input;
  const booth = phone === '' ? 'Ask at the ticket booth.' : `Ask at the ticket booth or call ${phone}.`;
  switch (status) {
    case 'canceled':
      return {
        state: 'canceled',
        text: statusText || 'This sailing has been canceled. Choose another one.',
      };
    case 'suspended':
      return { state: 'unknown', text: statusText || `This sailing is not certain yet. ${booth}` };
    case 'departed':
    case 'arrived':
      return { state: 'closed_online', text: 'This sailing has left. Choose a later one.' };
    default:
      if (now >= input.salesCloseAt)
        return { state: 'closed_online', text: `Online sales have closed. ${booth}` };
      if (!input.hasFare) return { state: 'closed_online', text: `Not sold online. ${booth}` };
      return null;
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

function describeShortage(
  { resource }: CapacityItem,
  input: AvailabilityInput,
): Pick<Result, 'state' | 'text'> {
  const words = TEXTS[resource];
  const room = findCapacity(resource, input);
  if (!room) return { state: 'on_sale', text: `The boat on this sailing has no ${words.what}.` };
  const leastUseful = resource === 'passenger' || resource === 'bicycle' ? 1 : NO_CAR_CM;
  if (countFreeOnline(room) >= leastUseful) {
    const left =
      resource === 'passenger' ? `Only ${describeCount(countFreeOnline(room), 'place')} left` : words.some;
    return { state: 'low', text: `${left}: not enough for your party.` };
  }
  if (room.total - room.held - room.sold >= leastUseful) {
    return { state: 'closed_online', text: `${words.online} Ask at the ticket booth for the rest.` };
  }
  const retryHint = room.held >= leastUseful ? ' Some may come back: look again in a few minutes.' : '';
  return { state: 'full', text: `${words.full}${retryHint || ' Choose another sailing.'}` };
}

const TEXTS: Record<CapacityResource, { what: string; some: string; online: string; full: string }> = {
  passenger: {
    what: 'passenger places',
    some: '',
    online: 'The places sold online are gone.',
    full: 'All passenger places are taken.',
  },
  lane_cm: {
    what: 'vehicle deck',
    some: 'Little room left on the vehicle deck',
    online: 'The vehicle spaces sold online are gone.',
    full: 'All vehicle spaces are taken.',
  },
  tall_lane_cm: {
    what: 'space for tall vehicles',
    some: 'Little room left for tall vehicles',
    online: 'The spaces for tall vehicles sold online are gone.',
    full: 'All spaces for tall vehicles are taken.',
  },
  bicycle: {
    what: 'bicycle spaces',
    some: 'Few bicycle spaces left',
    online: 'The bicycle spaces sold online are gone.',
    full: 'All bicycle spaces are taken.',
  },
};

/** Share taken of the resource that matters to the party: lane length for a vehicle, otherwise passenger places. */
function fullness(input: AvailabilityInput): number | null {
  const lane = input.needs.find(({ resource }) => resource === 'lane_cm' || resource === 'tall_lane_cm');
  const room = (lane && findCapacity(lane.resource, input)) ?? findCapacity('passenger', input);
  if (!room || room.total === 0) return null;
  return Math.min(100, Math.floor(((room.held + room.sold) * 100) / room.total));
}

function findCapacity(
  resource: CapacityResource,
  { capacity }: AvailabilityInput,
): ResourceCapacity | undefined {
  return capacity.find((room) => room.resource === resource && room.total > 0);
}
