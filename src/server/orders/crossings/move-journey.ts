import { inArray } from 'drizzle-orm';
import type { ChangeLine } from '#domain/changes/change-line.ts';
import type { CapacityItem } from '#domain/fares/capacity.ts';
import { getTaxParts, joinTaxParts, splitTax, type TaxPart, toTaxation } from '#domain/fares/taxes.ts';
import { needsTallLane } from '#domain/fares/vehicles.ts';
import { compareLegs, type Direction, listLegsOfJourney } from '#domain/orders/legs.ts';
import { getPaidAmounts, isFareLine } from '#domain/refunds/paid-amounts.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { type Database, writtenRow } from '#server/database/database.ts';
import {
  lineCapacity,
  type OrderChangeRow,
  type OrderLineRow,
  type OrderRow,
  orderChanges,
} from '#server/database/schema/sales.ts';
import type { TimetableRecord } from '#server/sailings/queries.ts';
import { endChanges } from '../change/end-change.ts';
import { listSoldTickets, type StoredOrder } from '../queries.ts';
import { listActiveLines, listTicketsOfJourneys, replaceJourneys } from './replace-journeys.ts';

/**
 * A journey and the sailings that it gets, as they are travelled.
 * `isOnward`: only instead of its second boat, because the first one has departed
 */
export type Move = { direction: Direction; sailings: readonly TimetableRecord[]; isOnward?: boolean };

/**
 * Moves a journey of an order to other sailings at no charge: the same party with new tickets, which carry what was paid for
 * the old ones. Changes of the order that are not paid end. The transaction has locked the order.
 * @param input holdId: an active hold of the places of `carryWay`; if it has ended, free places are taken
 * @returns null, with nothing changed, if there is no room any more
 * @throws {TicketsChanged} if a ticket of the journey was used
 */
export async function moveJourney(
  tx: Database,
  context: Pick<Context, 'clock' | 'ticketSigner'>,
  {
    sold,
    move,
    holdId,
    actor,
  }: { sold: StoredOrder; move: Move; holdId: string; actor: OrderChangeRow['actor'] },
): Promise<{ order: OrderRow; changeId: string } | null> {
  const now = context.clock.now();
  const journeys = [move.direction];
  await endChanges(tx, context, sold.order.id);
  const inserted = await tx
    .insert(orderChanges)
    .values({
      ...{
        id: newId('chg'),
        orderId: sold.order.id,
        actor,
        status: 'held',
        holdId,
        journeys,
        fee: 0,
        difference: 0,
      },
      ticketIds: listTicketsOfJourneys(sold, journeys, move).map(({ id }) => id),
      lines: await carryJourney(tx, sold, move),
      insertedAt: now,
      updatedAt: now,
    })
    .returning();
  const change = writtenRow(inserted);
  const order = await replaceJourneys(tx, context, {
    ...{ sold, change, isOnward: move.isOnward, isByOperator: true },
  });
  return order && { order, changeId: change.id };
}

/**
 * The lines of a journey on other sailings, with the amounts of the old ones. Where two boats become one, its lines carry
 * what was paid for both; where one becomes two, the second is free.
 */
export async function carryJourney(
  db: Database,
  sold: Pick<StoredOrder, 'order' | 'lines' | 'tickets'>,
  { direction, sailings, isOnward }: Move,
): Promise<ChangeLine[]> {
  const active = listActiveLines(sold, [direction], { isOnward });
  const oldLegs = [...new Set(active.map(({ leg }) => leg))].toSorted(compareLegs);
  const lanes = await db
    .select({ lineId: lineCapacity.lineId, amount: lineCapacity.amount })
    .from(lineCapacity)
    .where(
      inArray(
        lineCapacity.lineId,
        active.filter(({ kind }) => kind === 'vehicle').map(({ id }) => id),
      ),
    );
  // An order has at most one vehicle on a boat.
  const laneCm = lanes[0]?.amount ?? 0;
  const keptLegs = isOnward ? 1 : 0;
  const newLegs = listLegsOfJourney(direction, keptLegs + sailings.length).slice(keptLegs);
  return newLegs.flatMap((leg, index) => {
    const sailing = sailings[index];
    if (!sailing) return [];
    const source = active.filter((line) => line.leg === (oldLegs[index] ?? oldLegs[0]));
    const isLast = index === sailings.length - 1;
    const joined = active.filter((line) => isLast && oldLegs.indexOf(line.leg) > index);
    const lines = index < oldLegs.length ? carryLines(sold, { source, joined }) : carryFreely(sold, source);
    return lines.map((line) => ({
      ...line,
      ...{ leg, sailingId: sailing.id },
      takes: getTakes(line, { sailing, laneCm }),
    }));
  });
}

type SoldLines = Pick<StoredOrder, 'order' | 'tickets'>;

/** @param input joined: lines of a second boat whose value is carried too */
function carryLines(
  sold: SoldLines,
  { source, joined }: { source: readonly OrderLineRow[]; joined: readonly OrderLineRow[] },
): ChangeLine[] {
  const lines = source.map((line) => carryLine(sold, line));
  return joined.length === 0 ? lines : lines.flatMap((line) => addValue(line, listValues(sold, joined)));
}

/** The same party on a boat that costs nothing. */
function carryFreely(sold: SoldLines, source: readonly OrderLineRow[]): ChangeLine[] {
  return source.filter(isFareLine).map((line) => ({
    ...carryLine(sold, line),
    ...{ unitAmount: 0, amount: 0, ...toTaxation(splitTax(0, getTaxParts(line))) },
  }));
}

function carryLine({ order, tickets }: SoldLines, line: OrderLineRow): ChangeLine {
  const { leg, sailingId, kind, typeCode, item, description, quantity, unitAmount, amount } = line;
  const { taxBp, tax, taxParts } = line;
  const isVehicle = kind === 'vehicle';
  return {
    ...{ leg, sailingId, kind, typeCode, item, description, quantity, unitAmount, amount },
    ...{ taxBp, tax, taxParts },
    takes: [],
    partyIndexes: listSoldTickets({ tickets })
      .filter(({ lineId }) => lineId === line.id)
      .map(({ partyIndex }) => partyIndex),
    vehicle: isVehicle ? (line.vehicle ?? order.vehicle) : null,
    plate: isVehicle ? (line.plate ?? order.plate) : null,
  };
}

/** What was paid for each ticket of lines, and the tax in it. */
type Value = { partyIndex: number; paid: number; parts: TaxPart[] };

function listValues({ order, tickets }: SoldLines, lines: readonly OrderLineRow[]): Value[] {
  const amounts = getPaidAmounts(lines, order.currency);
  return lines.filter(isFareLine).flatMap((line) =>
    listSoldTickets({ tickets })
      .filter(({ lineId }) => lineId === line.id)
      .map(({ partyIndex }, index) => {
        const paid = amounts.get(line.id)?.[index] ?? 0;
        return { partyIndex, paid, parts: splitTax(paid, getTaxParts(line)) };
      }),
  );
}

/** Adds values to the tickets of a line. Tickets of different amounts become lines of their own. */
function addValue(line: ChangeLine, values: readonly Value[]): ChangeLine[] {
  if (!isFareLine(line)) return [line];
  const tickets = line.partyIndexes.map((partyIndex) => {
    const value = values.find((each) => each.partyIndex === partyIndex);
    return { partyIndex, unitAmount: line.unitAmount + (value?.paid ?? 0), parts: value?.parts ?? [] };
  });
  return [...Map.groupBy(tickets, ({ unitAmount }) => unitAmount)].map(([unitAmount, own]) => ({
    ...line,
    unitAmount,
    quantity: own.length,
    amount: unitAmount * own.length,
    ...toTaxation(
      joinTaxParts([
        ...splitTax(line.unitAmount * own.length, getTaxParts(line)),
        ...own.flatMap(({ parts }) => parts),
      ]),
    ),
    partyIndexes: own.map(({ partyIndex }) => partyIndex),
  }));
}

/** A vehicle takes the same length on every vessel, on the deck that is high enough for it. */
function getTakes(
  { kind, quantity, vehicle }: ChangeLine,
  { sailing, laneCm }: { sailing: TimetableRecord; laneCm: number },
): CapacityItem[] {
  if (kind === 'passenger' || kind === 'bicycle') return [{ resource: kind, amount: quantity }];
  if (kind !== 'vehicle' || !vehicle || laneCm === 0) return [];
  return [{ resource: needsTallLane(vehicle, sailing.vessel) ? 'tall_lane_cm' : 'lane_cm', amount: laneCm }];
}
