import { sql } from 'drizzle-orm';
import type { LegName } from '#contract/orders/buy/legs.ts';
import type { Vehicle } from '#contract/orders/buy/schemas.ts';
import {
  compareLegs,
  DIRECTIONS,
  type Direction,
  getDirection,
  listLegsOfJourney,
} from '#domain/orders/legs.ts';
import { isConnectionMissed } from '#domain/sailings/connections.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import type { RebookingOfferRow } from '#server/database/schema/rebooking-offers.ts';
import type { sailings } from '#server/database/schema/timetable.ts';
import type { CatalogueRecord } from '../queries.ts';

/** What an order takes on each boat of a journey. */
export type TravelingParty = { passengers: number; bicycles: number; vehicle: Vehicle | null };

/** A sailing of an order's journey. */
export type BookedBoat = Pick<
  typeof sailings.$inferSelect,
  'status' | 'delayMinutes' | 'oversubscribed' | 'departsAt' | 'arrivesAt'
> & { sailingId: string; originPortId: string; destinationPortId: string };

/** One journey of a paid order, with its boats as travelled. */
export type BookedJourney = {
  orderId: string;
  direction: Direction;
  hasNoRoom: boolean;
  /** The first boat of a connection once it has departed; otherwise none. */
  departed: readonly BookedBoat[];
  /** All others, which are the only ones that can still change. */
  boats: readonly BookedBoat[];
  /** On `boats`. */
  party: TravelingParty;
};

type Row = Omit<BookedBoat, 'departsAt' | 'arrivesAt'> & {
  orderId: string;
  leg: LegName;
  vehicle: Vehicle | null;
  hasNoRoom: boolean;
  kind: string;
  quantity: number;
  departsAt: string;
  arrivesAt: string;
};

/**
 * Locks the orders that have a choice or may need one: with a canceled sailing or without room, with an open offer, or in
 * `orderIds`.
 * @returns their ids, in order of purchase
 */
export async function lockAffectedOrders(tx: Database, orderIds: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ id: string; confirmedAt: string }>(
    tx,
    sql`
    select id, coalesce(confirmed_at, inserted_at) as "confirmedAt" from orders
    where id in (
      select id from orders where needs_attention in ('sailing_canceled', 'no_room')
      union select order_id from rebooking_offers where status = 'open'
      union select jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb))
    order by id for no key update`,
  );
  return rows
    .toSorted((a, b) => Date.parse(a.confirmedAt) - Date.parse(b.confirmedAt) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

/** The journeys of paid orders that have not been canceled, in the order of the ids, outbound first. */
export async function readBookedJourneys(
  tx: Database,
  orderIds: readonly string[],
  now: Date,
): Promise<BookedJourney[]> {
  const rows = await queryRows<Row>(
    tx,
    sql`
    select o.id as "orderId", coalesce(l.vehicle, o.vehicle) as vehicle, o.needs_attention = 'no_room' as "hasNoRoom", l.leg, l.kind, l.quantity,
      s.id as "sailingId", s.status, s.delay_minutes as "delayMinutes", s.oversubscribed,
      s.departs_at as "departsAt", s.arrives_at as "arrivesAt",
      r.origin_port_id as "originPortId", r.destination_port_id as "destinationPortId"
    from orders o
    join order_lines l on l.order_id = o.id and l.status = 'active' and l.kind in ('passenger', 'vehicle', 'bicycle')
    join sailings s on s.id = l.sailing_id
    join routes r on r.id = s.route_id
    where o.id in (select jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb))
      and o.status in ('confirmed', 'partly_canceled')`,
  );
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  return orderIds.flatMap((orderId) => {
    const ofOrder = byOrder.get(orderId) ?? [];
    return DIRECTIONS.flatMap((direction) => {
      const ofDirection = ofOrder.filter(({ leg }) => getDirection(leg) === direction);
      return ofDirection.length > 0 ? [toBookedJourney(ofDirection, { orderId, direction, now })] : [];
    });
  });
}

function toBookedJourney(
  rows: readonly Row[],
  { orderId, direction, now }: { orderId: string; direction: Direction; now: Date },
): BookedJourney {
  const legs = [...Map.groupBy(rows, ({ leg }) => leg)].toSorted(([a], [b]) => compareLegs(a, b));
  const all = legs.flatMap(([, [boat]]) =>
    boat ? [{ ...boat, departsAt: new Date(boat.departsAt), arrivesAt: new Date(boat.arrivesAt) }] : [],
  );
  const [first, ...onward] = all;
  const hasDeparted = first && first.status !== 'canceled' && first.departsAt <= now && onward.length > 0;
  const departed = hasDeparted ? [first] : [];
  const lines = legs[departed.length]?.[1] ?? [];
  const count = (kind: string) =>
    lines.filter((line) => line.kind === kind).reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    orderId,
    direction,
    hasNoRoom: rows.some(({ hasNoRoom }) => hasNoRoom === true),
    departed,
    boats: all.slice(departed.length),
    party: {
      passengers: count('passenger'),
      bicycles: count('bicycle'),
      vehicle: lines.find(({ kind }) => kind === 'vehicle')?.vehicle ?? null,
    },
  };
}

/** Why the passengers of a journey have a choice; null: the journey runs as bought. */
export function findOfferReason(
  booked: BookedJourney,
  catalogue: Pick<CatalogueRecord, 'feed' | 'ports'>,
): RebookingOfferRow['reason'] | null {
  const { boats, hasNoRoom } = booked;
  const { choiceDelayMinutes } = catalogue.feed;
  if (boats.some(({ status }) => status === 'canceled')) return 'sailing_canceled';
  if (hasNoRoom && boats.some(({ oversubscribed }) => oversubscribed)) return 'no_room';
  const isLate = boats.some(({ delayMinutes }) => delayMinutes >= choiceDelayMinutes);
  return isLate || missesConnection(booked, catalogue) ? 'sailing_delayed' : null;
}

/** Whether a delay leaves less time to change boats than the port needs. */
export function missesConnection(
  { departed, boats }: BookedJourney,
  catalogue: Pick<CatalogueRecord, 'ports'>,
): boolean {
  const [first, onward] = [...departed, ...boats];
  if (!first || !onward) return false;
  const transferMinutes = getTransferMinutes(first, catalogue);
  return isConnectionMissed(inMilliseconds(first), inMilliseconds(onward), transferMinutes);
}

function getTransferMinutes(
  { destinationPortId }: BookedBoat,
  { ports }: Pick<CatalogueRecord, 'ports'>,
): number {
  return ports.find(({ id }) => id === destinationPortId)?.transferMinutes ?? 0;
}

/** When the party of a departed boat can board another one at the earliest, in milliseconds; 0 for all others. */
export function findEarliestBoarding(
  { departed: [boat] }: BookedJourney,
  catalogue: Pick<CatalogueRecord, 'ports'>,
): number {
  return boat ? getExpectedTimes(boat).arrivesAt + getTransferMinutes(boat, catalogue) * 60_000 : 0;
}

/** Whether a boat has left as far as is known. A canceled one has not, even after its scheduled departure. */
export function hasLeft(boat: BookedBoat, now: Date): boolean {
  return boat.status !== 'canceled' && getExpectedTimes(boat).departsAt <= now.getTime();
}

type OfferedBoats = Pick<RebookingOfferRow, 'sailingIds'>;

/** Whether an offer was made for the boats of a journey, or for all of them before the first one departed. */
export function isForBoats(offer: OfferedBoats, booked: BookedJourney): boolean {
  const ids = booked.boats.map(({ sailingId }) => sailingId);
  return offer.sailingIds.join() === ids.join() || isForWholeJourney(offer, booked);
}

/** Whether an offer was made for all boats of a journey whose first one has departed since. */
export function isForWholeJourney({ sailingIds }: OfferedBoats, { departed, boats }: BookedJourney): boolean {
  const ids = [...departed, ...boats].map(({ sailingId }) => sailingId);
  return departed.length > 0 && sailingIds.join() === ids.join();
}

/** The legs of a journey that another journey replaces: all of them, or those after a boat that has departed. */
export function listReplacedLegs(
  { direction, departed, boats: [next] }: BookedJourney,
  journey: readonly { origin: { id: string } }[],
): LegName[] {
  const isContinued = journey[0]?.origin.id === next?.originPortId;
  const from = isContinued ? departed.length : 0;
  return listLegsOfJourney(direction, from + journey.length).slice(from);
}

/** The legs of departed boats that are not part of an offer, and stay as they are. */
export function listKeptLegs(offer: OfferedBoats, { direction, departed }: BookedJourney): LegName[] {
  const isKept = departed.some(({ sailingId }) => !offer.sailingIds.includes(sailingId));
  return isKept ? listLegsOfJourney(direction, departed.length) : [];
}

function inMilliseconds({ departsAt, arrivesAt, delayMinutes }: BookedBoat) {
  return { departsAt: departsAt.getTime(), arrivesAt: arrivesAt.getTime(), delayMinutes };
}
