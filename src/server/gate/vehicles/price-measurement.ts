import { eq } from 'drizzle-orm';
import type { Vehicle } from '#contract/orders/buy/schemas.ts';
import { applyMeasurement, type MeasuredSize } from '#domain/boarding/measure-vehicle.ts';
import { type CapacityItem, getLaneNeeded } from '#domain/fares/capacity.ts';
import type { SailingToPrice } from '#domain/fares/fare-book.ts';
import { priceVehicle } from '#domain/fares/fares.ts';
import { getVehicleLengthCm } from '#domain/fares/vehicles.ts';
import { getDirection } from '#domain/orders/legs.ts';
import { isVoid } from '#domain/orders/ticket-status.ts';
import { isSamePassTrip } from '#domain/passes/coverage.ts';
import type { Database } from '#server/database/database.ts';
import {
  type OrderLineRow,
  type OrderRow,
  orderLines,
  orders,
  payments,
  type TicketRow,
  tickets,
} from '#server/database/schema/sales.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { loadPriceInputs } from '#server/sailings/price-inputs.ts';
import { createFareBook } from '#server/sailings/search.ts';

/** A vehicle at the gate, with what its measured size changes. */
export type PricedMeasurement = {
  order: OrderRow;
  line: OrderLineRow;
  ticket: TicketRow;
  /** In centimetres; null: no size was booked. */
  booked: { length: number | null; height: number | null };
  /** As it travels. */
  vehicle: Vehicle;
  isLarger: boolean;
  /** The type of vehicle that it is. */
  type: { code: string; name: string };
  /** What it costs beyond the booked price, at today's fares. */
  difference: number;
  /** The lane that it takes. */
  lane: CapacityItem;
};

/**
 * Prices a measured vehicle against its ticket. Where a trip of a pass paid for it, nothing is due: a trip is a trip.
 * @param input isRefused: the vehicle stays ashore, so that it needs no price and may be too large; isAboard: it went aboard,
 * so that the boat may have left since
 * @throws {ApiError} not_found, order_closed, sailing_not_boarding; no_fare, vehicle_too_long, vehicle_too_high
 */
export async function priceMeasurement(
  db: Database,
  {
    ticketId,
    measured,
    isRefused = false,
    isAboard = false,
  }: { ticketId: string; measured: MeasuredSize; isRefused?: boolean; isAboard?: boolean },
): Promise<PricedMeasurement> {
  const { order, line, ticket, bookedVehicle } = await requireVehicle(db, ticketId);
  const { catalogue, sailings } = await loadPriceInputs(db, {
    ...{ sailingIds: [ticket.sailingId], promoCode: null },
  });
  const [sailing] = sailings;
  const isBoarding = sailing?.status === 'scheduled' && sailing.departedAt === null;
  if (!sailing || (!isBoarding && !isAboard)) throw new ApiError('sailing_not_boarding');
  const { serviceDate, route, vessel } = sailing;
  const book = createFareBook(catalogue);
  const type = book.vehicleTypes.find(({ code }) => code === bookedVehicle.type);
  const fareClass = book.fareClasses.find(({ code }) => code === order.fareClassCode);
  if (!type || !fareClass) throw new ApiError('no_fare');
  const toPrice: SailingToPrice = { leg: ticket.leg, sailingId: sailing.id, serviceDate, route, vessel };
  const bookedLength = getVehicleLengthCm(bookedVehicle, type);
  const { vehicle, isLarger } = applyMeasurement(bookedVehicle, measured, {
    lengthCm: bookedLength,
    // A booking without a height is good for every height of the normal deck.
    heightCm: bookedVehicle.height_cm ?? vessel.normalClearanceCm ?? Number.POSITIVE_INFINITY,
  });
  const laneType = catalogue.vehicleTypes.find(({ code }) => code === vehicle.type);
  if (!laneType) throw new ApiError('invalid_input', { field: 'vehicle_type' });
  const price = (of: Vehicle): number => {
    const priced = priceVehicle(of, { sailing: toPrice, fareClassId: fareClass.id, book });
    if (!('ok' in priced)) return priced.amount;
    throw new ApiError(priced.code);
  };
  const isFree = isRefused || !isLarger || (await isPaidByTrip(db, ticket));
  return {
    ...{ order, line, ticket, vehicle, isLarger, type: { code: laneType.code, name: laneType.name } },
    booked: {
      length: bookedVehicle.length_cm === undefined ? null : bookedLength,
      height: bookedVehicle.height_cm ?? null,
    },
    difference: isFree ? 0 : Math.max(0, price(vehicle) - price(bookedVehicle)),
    lane: getLaneNeeded(vehicle, laneType, vessel),
  };
}

async function requireVehicle(db: Database, ticketId: string) {
  const [row] = await db
    .select({ order: orders, line: orderLines, ticket: tickets })
    .from(tickets)
    .innerJoin(orderLines, eq(orderLines.id, tickets.lineId))
    .innerJoin(orders, eq(orders.id, tickets.orderId))
    .where(eq(tickets.id, ticketId));
  const bookedVehicle = row?.line.vehicle ?? row?.order.vehicle;
  if (row?.ticket.kind !== 'vehicle' || !bookedVehicle) throw notFound();
  if (isVoid(row.ticket)) throw new ApiError('order_closed');
  return { ...row, bookedVehicle };
}

async function isPaidByTrip(db: Database, { orderId, leg, partyIndex }: TicketRow): Promise<boolean> {
  const trip = { direction: getDirection(leg), party_index: partyIndex };
  const paid = await db
    .select({ coverage: payments.coverage, status: payments.status })
    .from(payments)
    .where(eq(payments.orderId, orderId));
  return paid.some(
    ({ coverage, status }) =>
      status === 'succeeded' && coverage?.some((covered) => isSamePassTrip(covered, trip)) === true,
  );
}
