import { and, eq, isNull } from 'drizzle-orm';
import type { NoteTransfer } from '#contract/invoices/schemas.ts';
import { formatMoney } from '#domain/format/money.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { receipts } from '#server/database/schema/accounting.ts';
import { invoiceEntries, invoices } from '#server/database/schema/invoices.ts';
import type { OrderRow } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { addInvoiceEntry, getOwed, getToday, lockInvoice } from '#server/invoices/ledger.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import { creditWaitingRefunds } from '#server/orders/pay/credit-waiting-refunds.ts';
import type { RefundContext } from '#server/orders/pay/refund-payments.ts';
import { requireDay } from '#server/sailings/require-day.ts';

type InvoiceContext = Pick<Context, 'db' | 'clock'>;

/**
 * Notes that a recipient has transferred money for an invoice.
 * @param input language: of an error
 * @throws {ApiError} not_found; invoice_changed if another amount is owed than the person has seen; invalid_input for more
 * than is owed, or a day to come
 */
export async function noteTransfer(
  context: InvoiceContext,
  {
    invoiceId,
    transfer: { day, amount, reference, owed: seen },
    actor,
    language,
  }: { invoiceId: string; transfer: NoteTransfer; actor: StaffActor; language: string },
): Promise<void> {
  requireDay(day, 'day');
  if (day > (await getToday(context))) {
    throw new ApiError('invalid_input', { field: 'day', reason: 'day_to_come' });
  }
  await inTransaction(context.db, async (tx) => {
    const invoice = await lockInvoice(tx, invoiceId);
    if (!invoice) throw notFound();
    const owed = getOwed(invoice);
    if (owed !== seen) throw new ApiError('invoice_changed');
    if (amount > owed) {
      const params = { owed: formatMoney(owed, invoice.currency, language) };
      throw new ApiError('invalid_input', { field: 'amount', reason: 'more_than_owed', params });
    }
    await addInvoiceEntry(tx, context, {
      ...{ invoiceId, kind: 'transferred', amount, day, reference, staffId: actor.staffId },
    });
    await recordAudit(tx, context, {
      ...{ actor, action: 'invoice_paid', objectKind: 'invoice', objectId: invoiceId, reason: null },
      ...{ before: {}, after: { amount, day, bank_reference: reference } },
    });
  });
}

/**
 * Takes a transfer back that was noted by mistake. What was to be paid back of it is credited instead. Repeated, it changes
 * nothing.
 * @throws {ApiError} not_found
 */
export async function takeBackTransfer(
  context: InvoiceContext & RefundContext,
  { invoiceId, seq, actor }: { invoiceId: string; seq: number; actor: StaffActor },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrderOfInvoice(tx, invoiceId);
    const invoice = await lockInvoice(tx, invoiceId);
    const isTransfer = and(eq(invoiceEntries.invoiceId, invoiceId), eq(invoiceEntries.kind, 'transferred'));
    const [noted] = invoice
      ? await tx
          .select()
          .from(invoiceEntries)
          .where(and(isTransfer, eq(invoiceEntries.seq, seq), isNull(invoiceEntries.takesBackSeq)))
      : [];
    if (!noted) throw notFound();
    if ((await tx.$count(invoiceEntries, eq(invoiceEntries.takesBackSeq, seq))) > 0) return;
    const { amount, day, reference } = noted;
    await addInvoiceEntry(tx, context, {
      ...{ invoiceId, kind: 'transferred', amount: -amount, day, reference, takesBackSeq: seq },
      staffId: actor.staffId,
    });
    if (order) await creditWaitingRefunds(tx, context, { order, invoiceId });
    await recordAudit(tx, context, {
      ...{
        actor,
        action: 'invoice_payment_undone',
        objectKind: 'invoice',
        objectId: invoiceId,
        reason: null,
      },
      ...{ before: {}, after: { amount, day, bank_reference: reference } },
    });
  });
}

/** undefined: the invoice is for trip cards. */
async function lockOrderOfInvoice(tx: Database, invoiceId: string): Promise<OrderRow | undefined> {
  const [receipt] = await tx
    .select({ orderId: receipts.orderId })
    .from(receipts)
    .innerJoin(invoices, eq(invoices.receiptId, receipts.id))
    .where(eq(invoices.id, invoiceId));
  return receipt?.orderId ? lockOrder(tx, receipt.orderId) : undefined;
}
