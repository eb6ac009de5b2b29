import { eq, max } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { type OrderRow, type PaymentRow, payments } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';

/** Writes the next payment of an order whose row the transaction has locked. */
export async function insertAttempt(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  order: Pick<OrderRow, 'id' | 'currency'>,
  attempt: Pick<PaymentRow, 'method' | 'amount' | 'status' | 'startedFrom'> & { tripCardId?: string },
): Promise<PaymentRow> {
  const now = clock.now();
  const [last] = await tx
    .select({ attempt: max(payments.attempt) })
    .from(payments)
    .where(eq(payments.orderId, order.id));
  const [payment] = await tx
    .insert(payments)
    .values({
      id: newId('pay'),
      orderId: order.id,
      attempt: (last?.attempt ?? 0) + 1,
      currency: order.currency,
      ...attempt,
      insertedAt: now,
      updatedAt: now,
    })
    .returning();
  if (!payment) throw new Error('A payment was not written.');
  return payment;
}

/** What a trip card's holder reads beside the entry that pays tickets. */
export function fareDescription({ reference }: Pick<OrderRow, 'reference'>): string {
  return `Ferry tickets ${reference}`;
}

/** One attempt takes a trip card's value once. */
export function fareKey({ orderId, attempt }: Pick<PaymentRow, 'orderId' | 'attempt'>): string {
  return `order:${orderId}:attempt:${attempt}`;
}
