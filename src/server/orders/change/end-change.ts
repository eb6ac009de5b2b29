import { and, eq, inArray } from 'drizzle-orm';
import { releasePlaces } from '#server/capacity/places.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { type OrderChangeRow, orderChanges } from '#server/database/schema/sales.ts';

/** Statuses of a change that can still be paid. */
export const OPEN_CHANGE = [
  'held',
  'awaiting_payment',
] as const satisfies readonly OrderChangeRow['status'][];

/** Those of a change that a payment could still complete, also one that only arrives late. */
export const PAYABLE_CHANGE: readonly OrderChangeRow['status'][] = [...OPEN_CHANGE, 'expired'];

export function isOpenChange({ status }: Pick<OrderChangeRow, 'status'>): boolean {
  return OPEN_CHANGE.some((each) => each === status);
}

/** The change of an order that can still be paid. */
export async function findOpenChange(db: Database, orderId: string): Promise<OrderChangeRow | undefined> {
  const [open] = await db
    .select()
    .from(orderChanges)
    .where(and(eq(orderChanges.orderId, orderId), inArray(orderChanges.status, [...OPEN_CHANGE])));
  return open;
}

/**
 * Ends the changes of an order that a payment could still complete, also those whose payment may only arrive late,
 * because the order's tickets are canceled or moved. The transaction has locked the order. Their open payment is closed
 * by `closeLeftPayment` or the reconciling job; one that arrives goes back.
 */
export async function endChanges(
  tx: Database,
  context: Pick<Context, 'clock'>,
  orderId: string,
): Promise<void> {
  const isPayable = inArray(orderChanges.status, [...PAYABLE_CHANGE]);
  const changes = await tx
    .select()
    .from(orderChanges)
    .where(and(eq(orderChanges.orderId, orderId), isPayable));
  for (const change of changes) await endChange(tx, context, { change, status: 'abandoned' });
}

/**
 * Ends a change that is not done: the places it holds go back on sale, and the order stays as it was. The transaction has
 * locked the order. What an expired change asked for is kept, because its payment may still arrive.
 */
export async function endChange(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { change, status }: { change: OrderChangeRow; status: 'abandoned' | 'refused' },
): Promise<void> {
  await tx
    .update(orderChanges)
    .set({ status, lines: [], travelerNames: null, updatedAt: clock.now() })
    .where(eq(orderChanges.id, change.id));
  if (change.holdId === null) return;
  const [ended] = await tx
    .update(holds)
    .set({ status: 'released' })
    .where(and(eq(holds.id, change.holdId), eq(holds.status, 'active')))
    .returning({ id: holds.id });
  if (ended) await releasePlaces(tx, ended.id);
}
