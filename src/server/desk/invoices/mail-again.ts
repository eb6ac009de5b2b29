import { eq } from 'drizzle-orm';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { receipts } from '#server/database/schema/accounting.ts';
import { invoices } from '#server/database/schema/invoices.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queueInvoiceMail } from '#server/invoices/invoice-mails.ts';
import { getToday, isOverdue, lockInvoice } from '#server/invoices/ledger.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';

/**
 * Mails an invoice again, or reminds of one that is overdue.
 * @throws {ApiError} not_found; invoice_not_mailed without an address, and for a reminder of what is not overdue
 */
export async function mailInvoiceAgain(
  context: Context,
  { invoiceId, kind, actor }: { invoiceId: string; kind: 'invoice' | 'reminder'; actor: StaffActor },
): Promise<void> {
  const today = await getToday(context);
  await inTransaction(context.db, async (tx) => {
    const invoice = await lockInvoice(tx, invoiceId);
    const [receipt] = invoice
      ? await tx.select().from(receipts).where(eq(receipts.id, invoice.receiptId))
      : [];
    if (!invoice || !receipt) throw notFound();
    const isReminder = kind === 'reminder';
    if (invoice.email === '' || (isReminder && !isOverdue(invoice, today))) {
      throw new ApiError('invoice_not_mailed');
    }
    if (isReminder) {
      await tx.update(invoices).set({ remindedAt: context.clock.now() }).where(eq(invoices.id, invoiceId));
    }
    const mailKind = isReminder ? 'invoice-reminder' : 'invoice';
    await queueInvoiceMail(tx, context, { kind: mailKind, invoice, receipt });
    await recordAudit(tx, context, {
      actor,
      action: isReminder ? 'invoice_reminded' : 'invoice_mailed',
      ...{ objectKind: 'invoice', objectId: invoiceId, before: {}, after: {}, reason: null },
    });
  });
  wakeMailWorker(context.jobs);
}
