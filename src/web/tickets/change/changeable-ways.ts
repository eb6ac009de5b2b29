import { getWay, type Way } from '#domain/orders/legs.ts';
import { canChangeWay } from '#web/features/order/actions/rules-now.ts';
import { localDay } from '#web/features/site/local-time.ts';
import type { Catalogue, Leg, Order } from '#web/platform/api/types.ts';
import { clampDay } from '#web/ui/calendar/calendar.ts';
import type { Trip } from '../trip/trip.ts';
import { formatLength, type Units } from '../trip/units.ts';

/** A way that can be changed, or a return that can be added. */
export type ChangeableWay = {
  way: Way;
  isAdded: boolean;
  /** The first and last boat; of an added return, those of the outward way. */
  first: Leg;
  last: Leg;
};

/** What a customer can choose to change: a way, or both ways in one change with one fee. */
export type Choice = { value: Way | 'both'; ways: readonly [ChangeableWay, ChangeableWay?] };

/** `now` in milliseconds. The server decides by the fare's rules. */
export function listChoices(order: Order, now: number): Choice[] {
  const ways = listChangeableWays(order, now);
  const [out, back] = ways;
  const each = ways.map((way): Choice => ({ value: way.way, ways: [way] }));
  return out && back && isReturnTrip(order, out, back)
    ? [...each, { value: 'both', ways: [out, back] }]
    : each;
}

function listChangeableWays(order: Order, now: number): ChangeableWay[] {
  const { status, legs, tickets } = order;
  if (status !== 'confirmed' && status !== 'partly_cancelled') return [];
  const ways = (['out', 'back'] as const).flatMap((way): ChangeableWay[] => {
    const own = legs.filter(({ leg }) => getWay(leg) === way);
    const [first] = own;
    const last = own.at(-1);
    const isAhead = first && (first.status === 'cancelled' || Date.parse(first.departsAt) > now);
    const hasTickets = tickets.some(({ leg, status: state }) => leg === first?.leg && state === 'issued');
    return first && last && isAhead && hasTickets ? [{ way, isAdded: false, first, last }] : [];
  });
  const [out] = ways;
  const canAdd = out?.way === 'out' && !legs.some(({ leg }) => getWay(leg) === 'back');
  const open = ways.filter(({ first }) => canChangeWay(order, first, now));
  return canAdd ? [...open, { ...out, way: 'back', isAdded: true }] : open;
}

/** One form has one party, so both ways are changed together only where the same party travels back. */
function isReturnTrip(order: Order, out: ChangeableWay, back: ChangeableWay): boolean {
  const getParty = ({ first }: ChangeableWay) =>
    listLines(order, first)
      .map(({ kind, typeCode, quantity, vehicle }) => JSON.stringify([kind, typeCode, quantity, vehicle]))
      .toSorted()
      .join();
  const isMirrored = out.first.origin.code === back.last.destination.code;
  return !back.isAdded && isMirrored && getParty(out) === getParty(back);
}

/** The trip form with the sailings and party of a choice. */
export function fillTrip(
  { ways: [way, back] }: Choice,
  { order, catalogue, today, units }: { order: Order; catalogue: Catalogue; today: string; units: Units },
): Trip {
  const { isAdded, first, last } = way;
  const [from, to] = isAdded ? [last.destination, first.origin] : [first.origin, last.destination];
  const portId = (code: string) => catalogue.ports.find((port) => port.code === code)?.id ?? '';
  const getDay = ({ departsLocal }: Leg) => clampDay(localDay(departsLocal), today, catalogue.onSaleUntil);
  const lines = listLines(order, first);
  const passengers: Record<string, number> = {};
  for (const { kind, typeCode = '', quantity } of lines) {
    if (kind === 'passenger') passengers[typeCode] = (passengers[typeCode] ?? 0) + quantity;
  }
  return {
    way: back ? 'return' : 'one-way',
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

type VehicleFields = Pick<Trip, 'vehicle' | 'length' | 'height' | 'hasTrailer' | 'trailer'>;

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
