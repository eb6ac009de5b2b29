import { and, eq, inArray, max } from 'drizzle-orm';
import type { EntryCause } from '#domain/trip-cards/entry-cause.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { type Database, writtenRow } from '#server/database/database.ts';
import { type OrderRow, type PaymentRow, payments } from '#server/database/schema/sales.ts';
import { OPEN_PAYMENT } from '#server/payments/payment-status.ts';

/** Writes the next payment of an order. The transaction has locked the order. */
export async function insertPayment(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  {
    order,
    ...payment
  }: Pick<PaymentRow, 'method' | 'amount' | 'status' | 'startedFrom'> & {
    order: Pick<OrderRow, 'id' | 'currency'>;
    tripCardId?: string;
    coverage?: PaymentRow['coverage'];
    /** The change that it pays. */
    changeId?: string | null;
    /** The signed-in customer who pays. */
    byCustomerId: string | null;
  } & Partial<Pick<PaymentRow, 'staffId' | 'staffDevice' | 'terminalReference' | 'invoiceId'>>,
): Promise<PaymentRow> {
  const now = clock.now();
  const [last] = await tx
    .select({ attempt: max(payments.attempt) })
    .from(payments)
    .where(eq(payments.orderId, order.id));
  const inserted = await tx
    .insert(payments)
    .values({
      id: newId('pay'),
      orderId: order.id,
      attempt: (last?.attempt ?? 0) + 1,
      currency: order.currency,
      ...payment,
      insertedAt: now,
      updatedAt: now,
    })
    .returning();
  return writtenRow(inserted);
}

/**
 * Notes who resumes an open payment. A payment that several persons could make has no known payer. The transaction has
 * locked the order.
 */
export async function notePayer(
  tx: Database,
  { id, byCustomerId }: PaymentRow,
  payerId: string | null,
): Promise<void> {
  if (byCustomerId === null || byCustomerId === payerId) return;
  await tx.update(payments).set({ byCustomerId: null }).where(eq(payments.id, id));
}

/** The one payment of an order that can still take money. */
export async function findOpenPayment(db: Database, orderId: string): Promise<PaymentRow | undefined> {
  const [open] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), inArray(payments.status, [...OPEN_PAYMENT])));
  return open;
}

/** The cause and idempotency key of the ledger entry with which a trip card pays tickets, once per payment. */
export function buildFareEntry(
  { reference }: Pick<OrderRow, 'reference'>,
  { orderId, attempt }: Pick<PaymentRow, 'orderId' | 'attempt'>,
): { cause: EntryCause; key: string } {
  return { cause: { code: 'tickets', reference }, key: `order:${orderId}:attempt:${attempt}` };
}
