import { and, isNotNull, lt, ne, sql } from 'drizzle-orm';
import { receipts } from '../database/schema/accounting.ts';
import { invoices } from '../database/schema/invoices.ts';
import { daysBefore, type RetentionRule } from '../retention.ts';

/** Removes the mail addresses of paid invoices of trip cards. Those of orders go with the data of their order. */
export const eraseSaleAddresses: RetentionRule = async (db, now, keepDays) => {
  const ofSales = db.select({ id: receipts.id }).from(receipts).where(isNotNull(receipts.cardSaleId));
  await db
    .update(invoices)
    .set({ email: '' })
    .where(
      and(
        ne(invoices.email, ''),
        lt(invoices.settledAt, daysBefore(now, keepDays.orders)),
        sql`${invoices.receiptId} in ${ofSales}`,
      ),
    );
};
