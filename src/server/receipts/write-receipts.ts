import { asc, eq, sql } from 'drizzle-orm';
import type { Recipient } from '#contract/receipts/schemas.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { formatInstant } from '#domain/format/dates.ts';
import type { Translate } from '#messages/translate.ts';
import { describeLine } from '#sentences/order-lines.ts';
import type { Context } from '../context.ts';
import { textsIn } from '../core/texts.ts';
import { type Database, queryRows } from '../database/database.ts';
import {
  type ReceiptContent,
  type ReceiptPart,
  type ReceiptRow,
  receipts,
} from '../database/schema/accounting.ts';
import type { OrderRow } from '../database/schema/sales.ts';
import { readSoldNames, readTaxNames, type SoldNames } from '../database/sold-names.ts';
import { ApiError } from '../http/api-error.ts';
import { findElectronicTerms } from '../settings/seller.ts';
import { hasUblAmounts, nameRecipient, writeDocument } from './write-document.ts';

/** A sale entry with what describes it. */
type Entry = {
  seq: number;
  bookedAt: string;
  kind: string;
  item: Parameters<typeof describeLine>[1]['item'];
  typeCode: string | null;
  description: string;
  origin: string | null;
  destination: string | null;
  departsAt: string | null;
  zone: string | null;
  quantity: number;
  taxBp: number;
  taxName: string;
  gross: number;
  tax: number;
};

type Issuing = {
  order: OrderRow;
  recipient: Recipient | null;
  seller: ReceiptContent['seller'];
  settings: WebSettings;
  /** Of an invoice; absent: it is paid already. */
  due?: NonNullable<ReceiptContent['due']>;
};

/**
 * Issues the receipts and credit notes of an order, locked by the transaction, that are missing.
 * @returns those that there were, and those that are new, oldest first
 * @throws {ApiError} recipient_fixed
 */
export async function issueMissing(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { order, recipient, settings, ...terms }: Issuing,
): Promise<{ earlier: ReceiptRow[]; issued: ReceiptRow[] }> {
  const earlier = await listReceipts(tx, order.id);
  const shared = {
    ...{ ...terms, recipient: chooseRecipient(earlier, recipient) },
    ...chooseElectronicTerms(earlier, { recipient, settings, currency: order.currency }),
  };
  const entries = await listEntries(tx, { orderId: order.id, after: earlier.at(-1)?.throughSeq ?? 0 });
  const issued: ReceiptRow[] = [];
  for (const booking of groupBookings(entries)) {
    const row = await insertReceipt(tx, context, {
      ...{ order, booking, shared, earlier: [...earlier, ...issued] },
    });
    issued.push(row);
  }
  return { earlier, issued };
}

/** The receipts of an order, oldest first. */
function listReceipts(db: Database, orderId: string): Promise<ReceiptRow[]> {
  return db.select().from(receipts).where(eq(receipts.orderId, orderId)).orderBy(asc(receipts.throughSeq));
}

function chooseRecipient(
  earlier: readonly ReceiptRow[],
  recipient: Recipient | null,
): ReceiptContent['recipient'] {
  const given = recipient && nameRecipient(recipient);
  const [first] = earlier;
  if (!first) return given;
  const fixed = first.content.recipient;
  if (given && JSON.stringify(given) !== JSON.stringify(fixed)) throw new ApiError('recipient_fixed');
  return fixed;
}

/** Later documents have those of the first, so that a credit note fits its receipt. */
function chooseElectronicTerms(
  [first]: readonly ReceiptRow[],
  { recipient, settings, currency }: { recipient: Recipient | null; settings: WebSettings; currency: string },
): Pick<ReceiptContent, 'electronic'> {
  if (first) return first.content.electronic ? { electronic: first.content.electronic } : {};
  const electronic = findElectronicTerms(settings);
  if (!electronic || recipient?.country === undefined || !hasUblAmounts(currency)) return {};
  return { electronic: { ...electronic, recipientCountry: recipient.country } };
}

function listEntries(tx: Database, { orderId, after }: { orderId: string; after: number }): Promise<Entry[]> {
  return queryRows<Entry>(
    tx,
    sql`
      select e.seq::float8 as seq, e.booked_at::text as "bookedAt", e.kind, e.item, e.type_code as "typeCode",
        coalesce(l.description, '') as description, a.name as origin, b.name as destination,
        s.departs_at::text as "departsAt", a.time_zone as zone, e.quantity, e.tax_bp as "taxBp",
        e.tax_name as "taxName", e.gross::float8 as gross, e.tax::float8 as tax
      from sale_entries e
      left join order_lines l on l.id = e.line_id
      left join sailings s on s.id = e.sailing_id
      left join routes r on r.id = s.route_id
      left join ports a on a.id = r.origin_port_id
      left join ports b on b.id = r.destination_port_id
      where e.order_id = ${orderId} and e.seq > ${after}
      order by e.seq
    `,
  );
}

/** The entries of each transaction. Those that change no amount are on the next receipt, if there is one. */
function groupBookings(entries: readonly Entry[]): Entry[][] {
  const bookings: Entry[][] = [];
  let waiting: Entry[] = [];
  for (const booking of Map.groupBy(entries, ({ bookedAt }) => bookedAt).values()) {
    waiting = [...waiting, ...booking];
    if (sumGross(waiting) === 0) continue;
    bookings.push(waiting);
    waiting = [];
  }
  return bookings;
}

type NewReceipt = {
  order: OrderRow;
  booking: readonly Entry[];
  shared: Pick<ReceiptContent, 'seller' | 'recipient' | 'due' | 'electronic'>;
  earlier: readonly ReceiptRow[];
};

async function insertReceipt(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { order, booking, shared, earlier }: NewReceipt,
): Promise<ReceiptRow> {
  const language = order.locale;
  const names = await readSoldNames(tx);
  const taxNames = await readTaxNames(tx, language);
  const total = sumGross(booking);
  const kind = total < 0 ? 'credit_note' : 'receipt';
  return writeDocument(tx, context, {
    ...{ kind, orderId: order.id, cardSaleId: null, total, currency: order.currency },
    refersTo: kind === 'credit_note' ? listCorrected(earlier, -total).join(', ') || null : null,
    throughSeq: Math.max(...booking.map(({ seq }) => seq)),
    content: {
      ...{ ...shared, language, reference: order.reference },
      lines: writeLines(booking, { t: textsIn(language), names, taxNames, language }),
    },
  });
}

/** The numbers of the receipts that a credit note takes its amount from: the newest that have something left. */
function listCorrected(earlier: readonly ReceiptRow[], amount: number): string[] {
  const open: { number: string; left: number }[] = [];
  const take = (sum: number) => {
    const numbers: string[] = [];
    let rest = sum;
    for (const receipt of open.toReversed()) {
      const part = Math.min(rest, receipt.left);
      if (part > 0) numbers.unshift(receipt.number);
      receipt.left -= part;
      rest -= part;
    }
    return numbers;
  };
  for (const { kind, number, total } of earlier) {
    if (kind === 'receipt') open.push({ number, left: total });
    else take(-total);
  }
  return take(amount);
}

type Writer = { t: Translate; names: SoldNames; taxNames: ReadonlyMap<string, string>; language: string };

/** One line for each product of a boat. */
function writeLines(booking: readonly Entry[], writer: Writer): ReceiptContent['lines'] {
  const groups = Map.groupBy(booking, (entry) => writeText(entry, writer));
  return [...groups].flatMap(([text, entries]) => {
    const rates = Map.groupBy(entries, ({ taxBp, taxName }) => `${taxBp} ${taxName}`);
    const parts = [...rates.values()].map((entriesOfRate) => sumPart(entriesOfRate, writer.taxNames));
    const quantity = entries.reduce((sum, entry) => sum + entry.quantity, 0);
    const [first] = parts;
    if (!first || (quantity === 0 && parts.every(({ gross }) => gross === 0))) return [];
    const tax = parts.reduce((sum, part) => sum + part.tax, 0);
    const isPlain = parts.length === 1 && first.name === '';
    return [
      {
        ...{ text, quantity, taxBp: first.taxBp, gross: sumGross(parts), tax },
        ...(isPlain ? {} : { parts }),
      },
    ];
  });
}

function sumPart(entries: readonly Entry[], taxNames: Writer['taxNames']): ReceiptPart {
  const { taxBp = 0, taxName: name = '' } = entries[0] ?? {};
  return {
    taxBp,
    name: taxNames.get(name) ?? name,
    gross: sumGross(entries),
    tax: entries.reduce((sum, { tax }) => sum + tax, 0),
  };
}

function writeText(entry: Entry, { t, names, language }: Writer): string {
  const { kind, item, typeCode, description, origin, destination, departsAt, zone } = entry;
  if (kind === 'goodwill') return t('Refund as a gesture of goodwill');
  const what = describeLine(t, names.translateLine({ kind, item, typeCode, description }, language));
  if (origin === null || destination === null || departsAt === null || zone === null) return what;
  const day = formatInstant('date', Date.parse(departsAt), { language, zone });
  return t('{what}, {origin} to {destination}, {day}', { what, origin, destination, day });
}

function sumGross(entries: readonly { gross: number }[]): number {
  return entries.reduce((sum, { gross }) => sum + gross, 0);
}
