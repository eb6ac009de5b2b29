import { isDeepStrictEqual } from 'node:util';
import { eq, inArray } from 'drizzle-orm';
import { listTravelers } from '#domain/orders/travelers.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import {
  lineCapacity,
  type OrderLineRow,
  type OrderRow,
  orderLines,
  orders,
} from '#server/database/schema/sales.ts';
import { giveBackPromo, redeemPromo } from '../promo.ts';
import type { Sale } from './pricing.ts';

/** Rows of an order's lines and of the capacity each takes. */
export function buildLineRows(
  orderId: string,
  sale: Sale,
): { lines: OrderLineRow[]; capacity: (typeof lineCapacity.$inferSelect)[] } {
  const lines = sale.lines.map(({ takes: _, ...line }, position) => ({
    ...line,
    id: newId('oln'),
    orderId,
    position,
    status: 'active' as const,
    cancellationId: null,
    refund: 0,
    feeParts: null,
    changeId: null,
    vehicle: null,
    plate: null,
  }));
  const capacity = sale.lines.flatMap(({ takes, sailingId }, position) =>
    takes.map((item) => ({ lineId: lines[position]?.id ?? '', sailingId, ...item })),
  );
  return { lines, capacity };
}

/**
 * Replaces the lines and prices of an unpaid order, locked by the transaction. The names and the assistance of a changed party
 * are cleared.
 * @throws {ApiError} promo_used_up
 */
export async function rewriteOrder(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { order, sale }: { order: OrderRow; sale: Sale },
): Promise<void> {
  const old = await tx
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id))
    .orderBy(orderLines.position);
  await tx.delete(lineCapacity).where(
    inArray(
      lineCapacity.lineId,
      old.map(({ id }) => id),
    ),
  );
  await tx.delete(orderLines).where(eq(orderLines.orderId, order.id));
  if (order.promoCode !== sale.promoCode) {
    await giveBackPromo(tx, order.promoCode);
    await redeemPromo(tx, sale.promoCode);
  }
  const { lines, capacity } = buildLineRows(order.id, sale);
  const isSameParty = isDeepStrictEqual(listTypes(old), listTypes(lines));
  await tx.insert(orderLines).values(lines);
  await tx.insert(lineCapacity).values(capacity);
  await tx
    .update(orders)
    .set({
      ...pickSaleColumns(sale),
      vehicle: sale.request.vehicle,
      ...(isSameParty ? {} : { travelerNames: [], assistance: null }),
      version: order.version + 1,
      updatedAt: clock.now(),
    })
    .where(eq(orders.id, order.id));
}

function listTypes(lines: readonly OrderLineRow[]) {
  return listTravelers(lines).map(({ item, description }) => ({ item, description }));
}

/** The columns of an order that follow from the sale. */
export function pickSaleColumns({ priced, promoCode }: Sale) {
  const { currency, subtotal, discount, tax, total, fareClass } = priced;
  return {
    currency,
    subtotal,
    discount,
    tax,
    total,
    promoCode,
    fareClassCode: fareClass.code,
    fareClassName: fareClass.name,
    farePolicy: fareClass.policy,
  };
}
