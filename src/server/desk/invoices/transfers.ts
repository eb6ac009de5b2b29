import { and, eq, isNull } from 'drizzle-orm';
import type { NoteTransfer } from '#contract/invoices/schemas.ts';
import { formatMoney } from '#domain/format/money.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { invoiceEntries } from '#server/database/schema/invoices.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { addInvoiceEntry, getOwed, getToday, lockInvoice } from '#server/invoices/ledger.ts';
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
 * Takes a transfer back that was noted by mistake. Repeated, it changes nothing.
 * @throws {ApiError} not_found
 */
export async function takeBackTransfer(
  context: InvoiceContext,
  { invoiceId, seq, actor }: { invoiceId: string; seq: number; actor: StaffActor },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
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
