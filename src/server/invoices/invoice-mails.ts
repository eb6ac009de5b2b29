import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { ReceiptRow } from '../database/schema/accounting.ts';
import type { InvoiceRow } from '../database/schema/invoices.ts';
import { queueWrittenMail } from '../mail/outbox.ts';
import { type InvoiceMailKind, invoiceMailContent } from '../mail/templates/invoice.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { getOwed } from './ledger.ts';

/**
 * Queues a mail to the recipient of an invoice, in the language of its receipt, with the PDF of a receipt. Call
 * `wakeMailWorker` after the commit.
 * @param input invoice: as it is now; document: the credit note that is attached; absent: the invoice itself
 * @returns the mail's id; null if the invoice has no address any more
 */
export async function queueInvoiceMail(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  {
    kind,
    invoice,
    receipt,
    document = receipt,
  }: { kind: InvoiceMailKind; invoice: InvoiceRow; receipt: ReceiptRow; document?: ReceiptRow },
): Promise<string | null> {
  if (invoice.email === '') return null;
  const settings = await loadWebSettings({ db: tx });
  const content = invoiceMailContent(kind, { invoice, receipt, document, owed: getOwed(invoice), settings });
  return queueWrittenMail(tx, {
    ...{ kind, to: invoice.email, content, now: clock.now() },
    ...{ orderId: receipt.orderId, receiptId: document.id },
  });
}
