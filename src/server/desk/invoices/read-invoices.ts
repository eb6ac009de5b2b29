import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Invoice } from '#contract/invoices/schemas.ts';
import type { InvoiceState } from '#contract/invoices/states.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { receipts } from '#server/database/schema/accounting.ts';
import { invoiceEntries, invoices } from '#server/database/schema/invoices.ts';
import { orders } from '#server/database/schema/sales.ts';
import { staffMembers } from '#server/database/schema/staff.ts';
import { notFound } from '#server/http/api-error.ts';
import { getInvoiceState, getOwed, getToday } from '#server/invoices/ledger.ts';

/** Longer lists are searched, not read. */
const LIMIT = 200;

type InvoiceList = {
  invoices: Invoice[];
  has_more: boolean;
  counts: Record<InvoiceState, number>;
  today: string;
};

/**
 * Invoices of a state: those that are due first come first, and of those that are paid the latest.
 * @param input search: a part of the number, the recipient's name, the order's reference or a transfer's reference
 */
export async function listInvoices(
  context: Pick<Context, 'db' | 'clock'>,
  { state, search }: { state: InvoiceState; search: string },
): Promise<InvoiceList> {
  const { db } = context;
  const today = await getToday(context);
  const isFound = search === '' ? undefined : matches(search);
  const rows = await selectInvoices(db)
    .where(and(isInState(state, today), isFound))
    .orderBy(
      ...(state === 'paid' ? [desc(invoices.settledAt)] : [invoices.dueOn, invoices.insertedAt]),
      invoices.id,
    )
    .limit(LIMIT + 1);
  const count = (each: InvoiceState) => sql<number>`(count(*) filter (where ${isInState(each, today)}))::int`;
  const [counts = { open: 0, overdue: 0, paid: 0 }] = await db
    .select({ open: count('open'), overdue: count('overdue'), paid: count('paid') })
    .from(invoices)
    .innerJoin(receipts, eq(receipts.id, invoices.receiptId))
    .leftJoin(orders, eq(orders.id, receipts.orderId))
    .where(isFound);
  return {
    invoices: await present(db, rows.slice(0, LIMIT), today),
    has_more: rows.length > LIMIT,
    ...{ counts, today },
  };
}

/** @throws {ApiError} not_found */
export async function readInvoice(context: Pick<Context, 'db' | 'clock'>, id: string): Promise<Invoice> {
  const rows = await selectInvoices(context.db).where(eq(invoices.id, id));
  const [invoice] = await present(context.db, rows, await getToday(context));
  if (!invoice) throw notFound();
  return invoice;
}

function selectInvoices(db: Database) {
  return db
    .select({ invoice: invoices, receipt: receipts, orderReference: orders.reference })
    .from(invoices)
    .innerJoin(receipts, eq(receipts.id, invoices.receiptId))
    .leftJoin(orders, eq(orders.id, receipts.orderId))
    .$dynamic();
}
type Row = Awaited<ReturnType<typeof selectInvoices>>[number];

function isInState(state: InvoiceState, today: string): SQL | undefined {
  if (state === 'paid') return isNotNull(invoices.settledAt);
  const isLate = sql`${invoices.dueOn} < ${today}::date`;
  return and(sql`${invoices.settledAt} is null`, state === 'overdue' ? isLate : sql`not ${isLate}`);
}

function matches(search: string): SQL {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`(${receipts.number} ilike ${pattern} or ${receipts.content} -> 'recipient' ->> 'name' ilike ${pattern}
    or ${orders.reference} ilike ${pattern}
    or exists (
      select from ${invoiceEntries} e where e.invoice_id = ${invoices.id} and e.reference ilike ${pattern}
    ))`;
}

async function present(db: Database, rows: readonly Row[], today: string): Promise<Invoice[]> {
  const ids = rows.map(({ invoice }) => invoice.id);
  const transfers = await db
    .select({ entry: invoiceEntries, staffName: staffMembers.name })
    .from(invoiceEntries)
    .leftJoin(staffMembers, eq(staffMembers.id, invoiceEntries.staffId))
    .where(
      and(
        sql`${invoiceEntries.invoiceId} in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
        eq(invoiceEntries.kind, 'transferred'),
      ),
    )
    .orderBy(desc(invoiceEntries.seq));
  const takenBack = new Set(transfers.map(({ entry }) => entry.takesBackSeq));
  return rows.map(({ invoice, receipt, orderReference }) => ({
    ...{ id: invoice.id, number: receipt.number, receipt_id: receipt.id, email: invoice.email },
    ...{ recipient: receipt.content.recipient?.name ?? '', card_sale_id: receipt.cardSaleId },
    ...{ issued_on: receipt.content.issuedOn, due_on: invoice.dueOn },
    state: getInvoiceState(invoice, today),
    ...{ amount: invoice.amount, credited: invoice.credited, paid: invoice.paid, owed: getOwed(invoice) },
    ...{ currency: invoice.currency, order_reference: orderReference },
    reminded_at: invoice.remindedAt?.toISOString() ?? null,
    transfers: transfers
      .filter(({ entry }) => entry.invoiceId === invoice.id && entry.takesBackSeq === null)
      .map(({ entry: { seq, day, reference, amount, bookedAt }, staffName }) => ({
        ...{ seq, day: day ?? '', reference, amount, noted_at: bookedAt.toISOString() },
        ...{ staff_name: staffName, is_taken_back: takenBack.has(seq) },
      })),
  }));
}
