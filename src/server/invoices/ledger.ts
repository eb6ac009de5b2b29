import { eq } from 'drizzle-orm';
import type { InvoiceState } from '#contract/invoices/states.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, writtenRow } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import type { ReceiptRow } from '../database/schema/accounting.ts';
import {
  type InvoiceEntryRow,
  type InvoiceRow,
  invoiceEntries,
  invoices,
} from '../database/schema/invoices.ts';

/** What is left to pay of an invoice, in minor units. */
export function getOwed({
  amount,
  credited,
  paid,
}: Pick<InvoiceRow, 'amount' | 'credited' | 'paid'>): number {
  return amount - credited - paid;
}

/** Whether an invoice should have been paid before a day of the operator. */
export function isOverdue(invoice: Pick<InvoiceRow, 'dueOn' | 'settledAt'>, today: string): boolean {
  return invoice.settledAt === null && invoice.dueOn < today;
}

/** Whether an invoice is paid, or should be, on a day of the operator. */
export function getInvoiceState(
  invoice: Pick<InvoiceRow, 'dueOn' | 'settledAt'>,
  today: string,
): InvoiceState {
  if (invoice.settledAt !== null) return 'paid';
  return isOverdue(invoice, today) ? 'overdue' : 'open';
}

/**
 * Makes a receipt, which the transaction has issued with the day on which it is due, an invoice: its total is owed from now
 * on. What it is for is the receipt's matter.
 * @param input email: where it is mailed
 */
export async function openInvoice(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { receipt, email, staffId }: { receipt: ReceiptRow; email: string; staffId: string },
): Promise<InvoiceRow> {
  const { due } = receipt.content;
  if (!due) throw new Error('A receipt without a day on which it is due is no invoice.');
  const { id: receiptId, total: amount, currency } = receipt;
  const inserted = await tx
    .insert(invoices)
    .values({
      ...{ id: newId('inv'), receiptId, email, dueOn: due.on, currency, amount },
      insertedAt: clock.now(),
    })
    .returning();
  const invoice = writtenRow(inserted);
  await addInvoiceEntry(tx, { clock }, { invoiceId: invoice.id, kind: 'invoiced', amount, staffId });
  return invoice;
}

/**
 * Takes what is given back of a sale off its invoice, as far as it is still owed. The caller gives the rest back otherwise.
 * @returns the part that it took off, in minor units
 */
export async function creditInvoice(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { invoiceId, amount, staffId = null }: { invoiceId: string; amount: number; staffId?: string | null },
): Promise<number> {
  const invoice = await lockInvoice(tx, invoiceId);
  const credited = invoice ? Math.min(amount, getOwed(invoice)) : 0;
  if (credited > 0) {
    await addInvoiceEntry(tx, { clock }, { invoiceId, kind: 'credited', amount: credited, staffId });
  }
  return credited;
}

/** Locks an invoice, after the order that it is for. */
export async function lockInvoice(tx: Database, invoiceId: string): Promise<InvoiceRow | undefined> {
  const [invoice] = await tx.select().from(invoices).where(eq(invoices.id, invoiceId)).for('no key update');
  return invoice;
}

type NewEntry = Pick<InvoiceEntryRow, 'invoiceId' | 'kind' | 'amount' | 'staffId'> &
  Partial<Pick<InvoiceEntryRow, 'day' | 'reference' | 'takesBackSeq'>>;

/** Writes an entry, which a trigger adds to the sums of its invoice. */
export async function addInvoiceEntry(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  entry: NewEntry,
): Promise<void> {
  await tx.insert(invoiceEntries).values({ ...entry, bookedAt: clock.now() });
}

/** The operator's day now. */
export async function getToday({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<string> {
  const { timeZone } = await getOperator(db);
  return getLocalDay(clock.now().getTime(), timeZone);
}
