import { sql } from 'drizzle-orm';
import type { ReceiptKind } from '#contract/receipts/kinds.ts';
import type { Recipient } from '#contract/receipts/schemas.ts';
import { getCurrencyExponent } from '#domain/fares/money.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import {
  type ReceiptContent,
  type ReceiptRow,
  receiptSeries,
  receipts,
} from '../database/schema/accounting.ts';

type NewDocument = Omit<ReceiptRow, 'id' | 'number' | 'issuedAt' | 'content'> & {
  content: Omit<ReceiptContent, 'issuedOn'>;
};

/** Writes a receipt or credit note of today with the next number of its series. */
export async function writeDocument(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { content, ...document }: NewDocument,
): Promise<ReceiptRow> {
  const issuedAt = clock.now();
  const { timeZone } = await getOperator(tx);
  const issuedOn = getLocalDay(issuedAt.getTime(), timeZone);
  const row: ReceiptRow = {
    ...document,
    id: newId('rcp'),
    number: await takeNumber(tx, { kind: document.kind, year: Number(issuedOn.slice(0, 4)) }),
    issuedAt,
    content: { ...content, issuedOn },
  };
  await tx.insert(receipts).values(row);
  return row;
}

/** The recipient as a document names it. */
export function nameRecipient({
  name,
  address,
  tax_number: taxNumber,
}: Recipient): NonNullable<ReceiptContent['recipient']> {
  return { name, address, taxNumber };
}

/** Whether UBL files can have amounts of the currency: the norm has at most two decimals. */
export function hasUblAmounts(currency: string): boolean {
  return getCurrencyExponent(currency) <= 2;
}

/** The next number of a series. The row stays locked until the transaction ends, and goes back with it. */
async function takeNumber(
  tx: Database,
  { kind, year }: { kind: ReceiptKind; year: number },
): Promise<string> {
  const [row] = await tx
    .insert(receiptSeries)
    .values({ kind, year, last: 1 })
    .onConflictDoUpdate({
      target: [receiptSeries.kind, receiptSeries.year],
      set: { last: sql`${receiptSeries.last} + 1` },
    })
    .returning({ last: receiptSeries.last });
  const letter = kind === 'receipt' ? 'R' : 'C';
  return `${letter}-${year}-${String(row?.last ?? 1).padStart(6, '0')}`;
}
