import { and, eq, inArray, sql } from 'drizzle-orm';
import type { OrderNotice } from '#contract/orders/statuses.ts';
import { apportion } from '#domain/fares/money.ts';
import { getTaxKey, leaveTaxParts, takeTaxParts, toTaxation } from '#domain/fares/taxes.ts';
import { keepAssistance } from '#domain/orders/assistance.ts';
import type { Refund, TicketRefund } from '#domain/refunds/calculate-refund.ts';
import { isFareLine } from '#domain/refunds/paid-amounts.ts';
import { bookOrder } from '#server/accounting/book-order.ts';
import { releaseSoldPlaces } from '#server/capacity/places.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { type Database, writtenRow } from '#server/database/database.ts';
import {
  type CancellationRow,
  cancellations,
  lineCapacity,
  type OrderLineRow,
  type OrderRow,
  orderLines,
  orders,
  tickets,
} from '#server/database/schema/sales.ts';
import { adaptOffers } from '#server/sailings/offers/end-offers.ts';
import { endChanges } from '../change/end-change.ts';
import { paidStatus, sumRefunded } from '../pay/order-refunds.ts';
import { giveBackPromo } from '../promo.ts';
import { listSoldTickets, type StoredOrder } from '../queries.ts';
import { findFeeParts } from './fee-tax.ts';
import { getAttentionAfterCancellation, listLinesLeft } from './needs-attention.ts';

/** A fare line with the number and sums of its chosen tickets. */
type LineChange = { line: OrderLineRow; count: number; paid: number; refund: number; fee: number };

/** Tickets were used or canceled since the refund was planned. */
export class TicketsChanged extends Error {
  override readonly name = 'TicketsChanged';
}

/**
 * Cancels tickets with their lines and puts their places back on sale. Of a line with several tickets, the canceled
 * ones become a line of their own, and with them their part of the discount. Changes of the order that are not paid end.
 * The transaction has locked the order; hold, capacity and promo code follow. `closeCancellation` writes the order after
 * its refunds.
 * @throws {TicketsChanged}
 */
export async function cancelTickets(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { sold, refund, actor }: { sold: StoredOrder; refund: Refund; actor: CancellationRow['actor'] },
): Promise<CancellationRow> {
  const now = context.clock.now();
  const cancellation: CancellationRow = {
    id: newId('can'),
    orderId: sold.order.id,
    actor,
    paid: refund.paid,
    fee: refund.fee,
    refund: refund.refund,
    insertedAt: now,
  };
  await endChanges(tx, context, sold.order.id);
  await tx.insert(cancellations).values(cancellation);
  const lineIds = await separateLines(tx, { sold, refund });
  await releaseSoldPlaces(tx, sold.order.id, lineIds);
  await tx
    .update(orderLines)
    .set({
      status: 'canceled',
      cancellationId: cancellation.id,
      // The order may lose its vehicle, whose ticket still shows the plate.
      plate: sql`case when kind = 'vehicle' then coalesce(plate, ${sold.order.plate}::text) end`,
    })
    .where(inArray(orderLines.id, lineIds));
  const ids = refund.tickets.map(({ id }) => id);
  const canceled = await tx
    .update(tickets)
    .set({ status: 'canceled', version: sql`${tickets.version} + 1` })
    .where(and(inArray(tickets.id, ids), inArray(tickets.status, ['issued', 'checked_in'])))
    .returning({ id: tickets.id });
  if (canceled.length !== ids.length) throw new TicketsChanged();
  const left = listSoldTickets(sold).filter(({ id }) => !ids.includes(id));
  const assistance = keepAssistance(sold.order.assistance, (traveler) =>
    left.some(({ partyIndex }) => partyIndex === traveler),
  );
  if (sold.order.assistance) await tx.update(orders).set({ assistance }).where(eq(orders.id, sold.order.id));
  const isActive = and(eq(orderLines.orderId, sold.order.id), eq(orderLines.status, 'active'));
  if ((await tx.$count(orderLines, isActive)) === 0) await giveBackPromo(tx, sold.order.promoCode);
  return cancellation;
}

/** Writes the state of an order after tickets were canceled and their refunds written. */
export async function closeCancellation(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  order: OrderRow,
): Promise<OrderRow> {
  const now = clock.now();
  await adaptOffers(tx, { clock }, order.id);
  const left = await listLinesLeft(tx, order.id);
  const isWhole = left.length === 0;
  const refunded = await sumRefunded(tx, order);
  const promised = await sumRefunded(tx, order, ['requested', 'pending', 'awaiting_payout', 'succeeded']);
  const hasVehicle = isWhole || left.some(({ kind }) => kind === 'vehicle');
  const written = await tx
    .update(orders)
    .set({
      status: isWhole ? 'canceled' : 'partly_canceled',
      needsAttention: getAttentionAfterCancellation(order, left),
      ...(isWhole ? { canceledAt: now } : {}),
      ...(hasVehicle ? {} : { vehicle: null, plate: null }),
      ...(order.paid > 0 ? { refunded, paymentStatus: paidStatus({ paid: order.paid, refunded }) } : {}),
      notice: getNotice(isWhole, { paid: order.paid, refunded: promised }),
      writtenNotice: '',
      version: order.version + 1,
      updatedAt: now,
    })
    .where(eq(orders.id, order.id))
    .returning();
  await bookOrder(tx, { clock }, { orderId: order.id, cause: 'cancellation' });
  return writtenRow(written);
}

function getNotice(isWhole: boolean, { paid, refunded }: Pick<OrderRow, 'paid' | 'refunded'>): OrderNotice {
  if (!isWhole) return 'partly_canceled';
  if (refunded === 0) return 'canceled';
  return refunded < paid ? 'canceled_and_partly_refunded' : 'canceled_and_refunded';
}

/**
 * Makes the chosen tickets and their part of the discounts lines of their own.
 * @returns the ids of these lines
 */
async function separateLines(
  tx: Database,
  { sold, refund }: { sold: StoredOrder; refund: Refund },
): Promise<string[]> {
  let position = Math.max(...sold.lines.map((line) => line.position));
  const ids: string[] = [];
  for (const { line, count, refund: given, fee } of listFareChanges(sold, refund)) {
    const feeParts = await findFeeParts(tx, { fee, sailingId: line.sailingId });
    if (count === line.quantity) {
      await tx.update(orderLines).set({ refund: given, feeParts }).where(eq(orderLines.id, line.id));
      ids.push(line.id);
      continue;
    }
    position += 1;
    const chosen = refund.tickets.map(({ id }) => id);
    const id = await splitFareLine(tx, { line, count, position, refund: given, feeParts });
    await tx
      .update(tickets)
      .set({ lineId: id })
      .where(and(eq(tickets.lineId, line.id), inArray(tickets.id, chosen)));
    ids.push(id);
  }
  for (const { line, amount } of listDiscountChanges(sold, refund)) {
    if (amount === 'all' || amount === line.amount) {
      ids.push(line.id);
      continue;
    }
    position += 1;
    ids.push(await splitDiscountLine(tx, { line, amount, position }));
  }
  return ids;
}

/** The lines of the chosen tickets, with the number of these. */
function listFareChanges({ lines, tickets: all }: StoredOrder, refund: Refund): LineChange[] {
  const chosen = new Map(refund.tickets.map((ticket) => [ticket.id, ticket]));
  return lines.flatMap((line) => {
    const own = all.flatMap(({ id, lineId }): TicketRefund[] => {
      const ticket = lineId === line.id ? chosen.get(id) : undefined;
      return ticket ? [ticket] : [];
    });
    if (own.length === 0) return [];
    const sum = (field: 'paid' | 'refund' | 'fee') => own.reduce((total, ticket) => total + ticket[field], 0);
    return [{ line, count: own.length, paid: sum('paid'), refund: sum('refund'), fee: sum('fee') }];
  });
}

/**
 * The share of the chosen tickets in the discounts of their leg and taxation: the difference between their fares and
 * what was paid for them, split over the discounts in proportion. Without other tickets there, all of them.
 */
function listDiscountChanges(
  sold: StoredOrder,
  refund: Refund,
): { line: OrderLineRow; amount: number | 'all' }[] {
  const active = sold.lines.filter(({ status }) => status === 'active');
  const changes = listFareChanges(sold, refund);
  const groups = Map.groupBy(active, (line) => `${line.leg} ${getTaxKey(line)}`);
  return [...groups.values()].flatMap((group): { line: OrderLineRow; amount: number | 'all' }[] => {
    const discounts = group.filter((line) => !isFareLine(line));
    const canceled = changes.filter(({ line }) => group.includes(line));
    const isLeft = (fare: OrderLineRow) =>
      !canceled.some(({ line: { id }, count }) => id === fare.id && count === fare.quantity);
    if (!group.filter(isFareLine).some(isLeft)) return discounts.map((line) => ({ line, amount: 'all' }));
    const taken = canceled.reduce(
      (sum, change) => sum + change.count * change.line.unitAmount - change.paid,
      0,
    );
    const parts = apportion(
      taken,
      discounts.map(({ amount }) => -amount),
    );
    return discounts.flatMap((line, index) => {
      const part = parts[index] ?? 0;
      return part === 0 ? [] : [{ line, amount: -part }];
    });
  });
}

async function splitFareLine(
  tx: Database,
  {
    line,
    count,
    ...canceled
  }: Pick<OrderLineRow, 'position' | 'refund' | 'feeParts'> & { line: OrderLineRow; count: number },
): Promise<string> {
  const id = newId('oln');
  const amount = count * line.unitAmount;
  const taken = takeTaxParts(line, amount);
  const left = line.quantity - count;
  await tx
    .update(orderLines)
    .set({ quantity: left, amount: left * line.unitAmount, ...toTaxation(leaveTaxParts(line, taken)) })
    .where(eq(orderLines.id, line.id));
  await tx
    .insert(orderLines)
    .values({ ...line, ...canceled, id, quantity: count, amount, ...toTaxation(taken) });
  const capacity = await tx.select().from(lineCapacity).where(eq(lineCapacity.lineId, line.id));
  for (const item of capacity) {
    const part = takePart(item.amount, { part: count, of: line.quantity });
    await tx
      .update(lineCapacity)
      .set({ amount: item.amount - part })
      .where(and(eq(lineCapacity.lineId, line.id), eq(lineCapacity.resource, item.resource)));
    await tx.insert(lineCapacity).values({ ...item, lineId: id, amount: part });
  }
  return id;
}

async function splitDiscountLine(
  tx: Database,
  { line, amount, position }: { line: OrderLineRow; amount: number; position: number },
): Promise<string> {
  const id = newId('oln');
  const taken = takeTaxParts(line, amount);
  const left = line.amount - amount;
  await tx
    .update(orderLines)
    .set({ unitAmount: left, amount: left, ...toTaxation(leaveTaxParts(line, taken)) })
    .where(eq(orderLines.id, line.id));
  await tx
    .insert(orderLines)
    .values({ ...line, id, position, unitAmount: amount, amount, ...toTaxation(taken) });
  return id;
}

/** A share of a whole number, rounded towards zero. */
function takePart(whole: number, share: { part: number; of: number }): number {
  return share.of === 0 ? 0 : Math.trunc((whole * share.part) / share.of);
}
