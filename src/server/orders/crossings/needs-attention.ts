import { and, eq } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { type OrderRow, orderLines } from '#server/database/schema/sales.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { forEachChunk } from '#server/sailings/bulk.ts';
import { findOverbookedOrders } from '#server/sailings/exceptions/overbooked-orders.ts';
import { writeCapacities } from '#server/sailings/write-capacities.ts';

/** An active line of an order with its sailing. */
export type LineLeft = Awaited<ReturnType<typeof listLinesLeft>>[number];

export function listLinesLeft(tx: Database, orderId: string) {
  return tx
    .select({ kind: orderLines.kind, sailingStatus: sailings.status, voyageId: sailings.voyageId })
    .from(orderLines)
    .innerJoin(sailings, eq(sailings.id, orderLines.sailingId))
    .where(and(eq(orderLines.orderId, orderId), eq(orderLines.status, 'active')));
}

/** A canceled sailing, or too small a boat. */
export function isOperatorsFault({ needsAttention }: Pick<OrderRow, 'needsAttention'>): boolean {
  return needsAttention === 'sailing_canceled' || needsAttention === 'no_room';
}

/** What needs attention after tickets were canceled. A job ends `no_room` once there is room again. */
export function getAttentionAfterCancellation(
  { needsAttention }: OrderRow,
  left: readonly LineLeft[],
): OrderRow['needsAttention'] {
  if (left.length === 0) return null;
  if (needsAttention !== 'sailing_canceled') return needsAttention;
  return left.some(isOfCanceledSailing) ? needsAttention : null;
}

/**
 * What needs attention after journeys were replaced. Puts the room of a smaller vessel that they had on sale again.
 * @param oldVoyageIds of the replaced journeys
 */
export async function findAttentionAfterChange(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  {
    order,
    left,
    oldVoyageIds,
  }: { order: OrderRow; left: readonly LineLeft[]; oldVoyageIds: readonly string[] },
): Promise<OrderRow['needsAttention']> {
  const { id, needsAttention } = order;
  if (needsAttention === 'payment_in_doubt') return needsAttention;
  if (left.some(isOfCanceledSailing)) return 'sailing_canceled';
  const voyageIds = left.map(({ voyageId }) => voyageId);
  if (needsAttention === 'sailing_changed') {
    return voyageIds.some((voyageId) => !oldVoyageIds.includes(voyageId)) ? null : needsAttention;
  }
  if (needsAttention !== 'no_room') return null;
  await forEachChunk(oldVoyageIds, (list) => writeCapacities(tx, list, clock.now()));
  const overbooked = await findOverbookedOrders(tx, [...new Set(voyageIds)]);
  return overbooked.some(({ orderId }) => orderId === id) ? needsAttention : null;
}

function isOfCanceledSailing({ sailingStatus }: LineLeft): boolean {
  return sailingStatus === 'canceled';
}
