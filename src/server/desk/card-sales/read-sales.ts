import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { CardSale, CardSaleSummary } from '#contract/desk/card-sales/schemas.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { getOperator } from '#server/database/operator.ts';
import { receipts } from '#server/database/schema/accounting.ts';
import { invoices } from '#server/database/schema/invoices.ts';
import { staffMembers } from '#server/database/schema/staff.ts';
import { cardSales, topUps, tripCards } from '#server/database/schema/trip-cards.ts';
import { notFound } from '#server/http/api-error.ts';
import { getInvoiceState, getToday } from '#server/invoices/ledger.ts';
import { translatePass } from '#server/sailings/translate-catalogue.ts';
import { availableOn, findLiveCard, type TopUpRow, type TripCardRow } from '#server/trip-cards/queries.ts';

/** Earlier ones are searched. */
const LIMIT = 20;

type Reading = Pick<Context, 'db' | 'clock'>;

/**
 * The last sales on several trip cards, the latest first.
 * @param input search: a part of the recipient's name or of the number of the receipt, or a card's number; empty: all
 */
export async function listSales(
  context: Reading,
  { search, language }: { search: string; language: string },
): Promise<{ sales: CardSaleSummary[]; currency: string }> {
  const rows = await selectSales(context.db)
    .where(search === '' ? undefined : matches(search))
    .orderBy(desc(cardSales.insertedAt), desc(cardSales.id))
    .limit(LIMIT);
  const today = await getToday(context);
  const { currency } = await getOperator(context.db);
  return { sales: rows.map((row) => present(row, { language, today })), currency };
}

function matches(search: string): SQL {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`(${receipts.number} ilike ${pattern} or ${receipts.content} -> 'recipient' ->> 'name' ilike ${pattern}
    or exists (
      select from top_ups t join trip_cards c on c.id = t.trip_card_id
      left join trip_cards r on r.id = c.replaced_by_card_id
      where t.sale_id = ${cardSales.id} and ${parseTripCardNumber(search)} in (c.number, r.number)
    ))`;
}

/**
 * A sale with its cards as they are now.
 * @throws {ApiError} not_found
 */
export async function readSale(
  context: Reading,
  { saleId, language }: { saleId: string; language: string },
): Promise<CardSale> {
  const { db } = context;
  const [row] = await selectSales(db).where(eq(cardSales.id, saleId));
  if (!row) throw notFound();
  const cards = await listCards(db, saleId);
  const { sale, invoice } = row;
  return {
    ...present(row, { language, today: await getToday(context) }),
    items: cards.map(({ card: { id, number, unit, balance, status } }) => ({
      ...{ id, number, unit, balance, status },
    })),
    can_be_taken_back:
      sale.takenBackAt === null &&
      invoice?.paid === 0 &&
      cards.every(({ card, topUp }) => isUnused(card, topUp)),
  };
}

/**
 * The owner of a card of a sale.
 * @returns null for a plastic card without an account
 * @throws {ApiError} not_found
 */
export async function findOwnerOfSold(
  db: Database,
  { saleId, cardId }: { saleId: string; cardId: string },
): Promise<string | null> {
  const sold = (await listCards(db, saleId)).find(({ card }) => card.id === cardId);
  if (!sold) throw notFound();
  return sold.card.customerId;
}

/** Whether all that a top-up has put on a card is still there. */
export function isUnused(card: TripCardRow, topUp: TopUpRow): boolean {
  return availableOn(card) >= (topUp.pass?.trips ?? topUp.amount);
}

/** The cards of a sale, or those that have replaced them. */
async function listCards(db: Database, saleId: string): Promise<{ card: TripCardRow; topUp: TopUpRow }[]> {
  const rows = await db
    .select({ card: tripCards, topUp: topUps })
    .from(topUps)
    .innerJoin(tripCards, eq(tripCards.id, topUps.tripCardId))
    .where(eq(topUps.saleId, saleId))
    .orderBy(asc(tripCards.number));
  return Promise.all(rows.map(async ({ card, topUp }) => ({ card: await findLiveCard(db, card), topUp })));
}

function selectSales(db: Database) {
  return db
    .select({
      sale: cardSales,
      staffName: staffMembers.name,
      receipt: { id: receipts.id, number: receipts.number, content: receipts.content },
      invoice: { dueOn: invoices.dueOn, settledAt: invoices.settledAt, paid: invoices.paid },
    })
    .from(cardSales)
    .leftJoin(staffMembers, eq(staffMembers.id, cardSales.staffId))
    .leftJoin(receipts, and(eq(receipts.cardSaleId, cardSales.id), eq(receipts.kind, 'receipt')))
    .leftJoin(invoices, eq(invoices.receiptId, receipts.id))
    .$dynamic();
}
type Row = Awaited<ReturnType<typeof selectSales>>[number];

function present(
  { sale, staffName, receipt, invoice }: Row,
  { language, today }: { language: string; today: string },
): CardSaleSummary {
  const { id, cards, amount, currency, pass, method, insertedAt, takenBackAt } = sale;
  return {
    ...{ id, cards, amount, total: cards * amount, currency, method, staff_name: staffName },
    sold_at: insertedAt.toISOString(),
    pass_name: pass && translatePass(pass, language).name,
    recipient: receipt?.content.recipient?.name ?? null,
    receipt_id: receipt?.id ?? null,
    invoice: receipt && invoice && { number: receipt.number, state: getInvoiceState(invoice, today) },
    taken_back_at: takenBackAt?.toISOString() ?? null,
  };
}
