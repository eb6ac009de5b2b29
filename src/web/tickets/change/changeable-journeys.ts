import { type Direction, getDirection } from '#domain/orders/legs.ts';
import { canChangeJourney, isAhead } from '#web/features/order/actions/rules-now.ts';
import { formatLength, type Units } from '#web/features/site/lengths.ts';
import { localDay } from '#web/features/site/local-time.ts';
import type { Catalogue, Leg, Order } from '#web/platform/api/types.ts';
import { clampDay } from '#web/ui/calendar/calendar.ts';
import type { TripSearch } from '../trip/trip-search.ts';

/** A journey that can be changed, or a return that can be added. */
export type ChangeableJourney = {
  direction: Direction;
  isAdded: boolean;
  /** The first and last boat; of an added return, those of the outward journey. */
  first: Leg;
  last: Leg;
};

/** What a customer can choose to change: a journey, or both journeys in one change with one fee. */
export type Choice = {
  value: Direction | 'both';
  journeys: readonly [ChangeableJourney, ChangeableJourney?];
};

/** `now` in milliseconds. The server decides by the fare's rules. */
export function listChoices(order: Order, now: number): Choice[] {
  const journeys = listChangeableJourneys(order, now);
  const [out, back] = journeys;
  const each = journeys.map((journey): Choice => ({ value: journey.direction, journeys: [journey] }));
  return out && back && isReturnTrip(order, out, back)
    ? [...each, { value: 'both', journeys: [out, back] }]
    : each;
}

function listChangeableJourneys(order: Order, now: number): ChangeableJourney[] {
  const { status, legs, tickets } = order;
  if (status !== 'confirmed' && status !== 'partly_canceled') return [];
  const journeys = (['out', 'back'] as const).flatMap((direction): ChangeableJourney[] => {
    const own = legs.filter(({ leg }) => getDirection(leg) === direction);
    const [first] = own;
    const last = own.at(-1);
    const hasTickets = tickets.some(({ leg, status: state }) => leg === first?.leg && state === 'issued');
    return first && last && isAhead(first, now) && hasTickets
      ? [{ direction, isAdded: false, first, last }]
      : [];
  });
  const [out] = journeys;
  const canAdd = out?.direction === 'out' && !legs.some(({ leg }) => getDirection(leg) === 'back');
  const open = journeys.filter(({ first }) => canChangeJourney(order, first, now));
  return canAdd ? [...open, { ...out, direction: 'back', isAdded: true }] : open;
}

/** One form has one party, so both journeys are changed together only where the same party travels back. */
function isReturnTrip(order: Order, out: ChangeableJourney, back: ChangeableJourney): boolean {
  const getParty = ({ first }: ChangeableJourney) =>
    listLines(order, first)
      .map(({ kind, typeCode, quantity, vehicle }) => JSON.stringify([kind, typeCode, quantity, vehicle]))
      .toSorted()
      .join();
  const isMirrored = out.first.origin.code === back.last.destination.code;
  return !back.isAdded && isMirrored && getParty(out) === getParty(back);
}

/** The trip form with the sailings and party of a choice. */
export function fillTrip(
  { journeys: [journey, back] }: Choice,
  { order, catalogue, today, units }: { order: Order; catalogue: Catalogue; today: string; units: Units },
): TripSearch {
  const { isAdded, first, last } = journey;
  const [from, to] = isAdded ? [last.destination, first.origin] : [first.origin, last.destination];
  const portId = (code: string) => catalogue.ports.find((port) => port.code === code)?.id ?? '';
  const getDay = ({ departsLocal }: Leg) => clampDay(localDay(departsLocal), today, catalogue.onSaleUntil);
  const lines = listLines(order, first);
  const passengers: Record<string, number> = {};
  for (const { kind, typeCode = '', quantity } of lines) {
    if (kind === 'passenger') passengers[typeCode] = (passengers[typeCode] ?? 0) + quantity;
  }
  return {
    tripType: back ? 'return' : 'one-way',
    from: portId(from.code),
    to: portId(to.code),
    outDate: getDay(first),
    backDate: getDay(back?.first ?? first),
    passengers,
    ...fillVehicle(lines, units),
    bicycles: lines.reduce((sum, { kind, quantity }) => (kind === 'bicycle' ? sum + quantity : sum), 0),
    promoCode: '',
  };
}

/** The lines of the tickets that are valid on a boat. */
function listLines({ lines }: Order, { leg }: Leg): Order['lines'] {
  return lines.filter((line) => line.leg === leg && line.status === 'active');
}

type VehicleFields = Pick<TripSearch, 'vehicle' | 'length' | 'height' | 'hasTrailer' | 'trailer'>;

function fillVehicle(lines: Order['lines'], units: Units): VehicleFields {
  const { vehicle } = lines.find(({ kind }) => kind === 'vehicle') ?? {};
  const format = (cm: number | undefined) => (cm ? formatLength(cm, units) : '');
  return {
    vehicle: vehicle?.type ?? '',
    length: format(vehicle?.lengthCm),
    height: format(vehicle?.heightCm),
    hasTrailer: Boolean(vehicle?.trailerCm),
    trailer: format(vehicle?.trailerCm),
  };
}
