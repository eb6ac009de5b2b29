import type { Recipient } from '#contract/receipts/schemas.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { InvoiceRow } from '../database/schema/invoices.ts';
import type { OrderRow } from '../database/schema/sales.ts';
import { issueMissing } from '../receipts/write-receipts.ts';
import { queueInvoiceMail } from './invoice-mails.ts';
import { requireInvoiceTerms } from './invoice-terms.ts';
import { openInvoice } from './ledger.ts';

/** Who gets an invoice. `email`: where it is mailed; `days`: to pay, null: as usual. */
export type Invoicing = { recipient: Recipient; email: string; days: number | null };

/**
 * Issues the receipt of an order that was sold in the transaction as an invoice, and mails it.
 * @throws {ApiError} no_invoices, recipient_fixed
 */
export async function invoiceOrder(
  tx: Database,
  context: Pick<Context, 'clock'>,
  {
    order,
    invoicing: { recipient, email, days },
    staffId,
  }: { order: OrderRow; invoicing: Invoicing; staffId: string },
): Promise<InvoiceRow> {
  const terms = await requireInvoiceTerms({ ...context, db: tx }, days);
  const { issued } = await issueMissing(tx, context, { order, recipient, ...terms });
  const [receipt] = issued;
  if (!receipt || issued.length > 1) throw new Error('An invoice is for one sale.');
  const invoice = await openInvoice(tx, context, { receipt, email, staffId });
  await queueInvoiceMail(tx, context, { kind: 'invoice', invoice, receipt });
  return invoice;
}
