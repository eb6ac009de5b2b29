import { getWay, type Way } from '#domain/orders/legs.ts';
import { parseCode } from '#domain/orders/ticket-code.ts';
import { localDay } from '#web/features/site/local-time.ts';
import type { Catalogue, Leg, Order, Ticket } from '#web/platform/api/types.ts';
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

/** `now` in milliseconds. The server decides by the fare's rules. */
export function listChangeableWays({ status, legs, tickets }: Order, now: number): ChangeableWay[] {
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
  return canAdd ? [...ways, { ...out, way: 'back', isAdded: true }] : ways;
}

/** The trip form with the sailing and party of a way, as a one-way trip. */
export function fillTrip(
  { isAdded, first, last }: ChangeableWay,
  { order, catalogue, today, units }: { order: Order; catalogue: Catalogue; today: string; units: Units },
): Trip {
  const [from, to] = isAdded ? [last.destination, first.origin] : [first.origin, last.destination];
  const portId = (code: string) => catalogue.ports.find((port) => port.code === code)?.id ?? '';
  const day = clampDay(localDay(first.departsLocal), today, catalogue.onSaleUntil);
  const own = order.tickets.filter(({ leg, status }) => leg === first.leg && status === 'issued');
  return {
    way: 'one-way',
    from: portId(from.code),
    to: portId(to.code),
    outDate: day,
    backDate: day,
    passengers: countPassengers(own, catalogue),
    ...fillVehicle(own, catalogue, units),
    bicycles: own.filter(({ kind }) => kind === 'bicycle').length,
    promoCode: '',
  };
}

function countPassengers(tickets: readonly Ticket[], { passengerTypes }: Catalogue): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const ticket of tickets) {
    if (ticket.kind !== 'passenger') continue;
    const code = findType(ticket, passengerTypes);
    if (code !== null) counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

type VehicleFields = Pick<Trip, 'vehicle' | 'length' | 'height' | 'hasTrailer' | 'trailer'>;

/** The ticket knows the length with the trailer; the height has to be entered again. */
function fillVehicle(tickets: readonly Ticket[], { vehicleTypes }: Catalogue, units: Units): VehicleFields {
  const empty = { vehicle: '', length: '', height: '', hasTrailer: false, trailer: '' };
  const ticket = tickets.find(({ kind }) => kind === 'vehicle');
  if (!ticket) return empty;
  const lengthCm = readCode(ticket)?.lengthCm ?? 0;
  const length = lengthCm > 0 && !ticket.title.includes('with trailer') ? formatLength(lengthCm, units) : '';
  return { ...empty, vehicle: findType(ticket, vehicleTypes) ?? '', length };
}

/** The code on a ticket may be shortened. */
function findType(ticket: Ticket, types: readonly { code: string }[]): string | null {
  const code = readCode(ticket)?.typeCode;
  return code ? (types.find((type) => type.code.startsWith(code))?.code ?? null) : null;
}

function readCode({ barcode }: Ticket) {
  const parsed = parseCode(barcode.payload);
  return parsed.ok && parsed.type === 'ticket' ? parsed.fields : null;
}
