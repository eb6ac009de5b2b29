import { randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { SellCards } from '#contract/desk/card-sales/schemas.ts';
import { createReference } from '#domain/orders/reference.ts';
import { DEFAULT_CARD_NAME } from '#domain/trip-cards/default-name.ts';
import { translateTexts } from '#messages/translations.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { type Database, writtenRow } from '#server/database/database.ts';
import { type CardSaleRow, cardSales, tripCards } from '#server/database/schema/trip-cards.ts';
import { inTransaction, violatedUniqueConstraint } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { queueInvoiceMail } from '#server/invoices/invoice-mails.ts';
import { requireInvoiceTerms } from '#server/invoices/invoice-terms.ts';
import { openInvoice } from '#server/invoices/ledger.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { fingerprintNetwork } from '#server/payments/card-testing.ts';
import { issueSaleReceipt } from '#server/receipts/write-sale-receipts.ts';
import { findSeller } from '#server/settings/seller.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { newCardNumber } from '#server/trip-cards/add-card.ts';
import { addTrips } from '#server/trip-cards/add-trips.ts';
import { postEntry } from '#server/trip-cards/post-entry.ts';
import type { TripCardRow } from '#server/trip-cards/queries.ts';
import { insertTopUp } from '#server/trip-cards/top-ups.ts';
import { type CardSalePlan, planSale } from './plan-sale.ts';

type Selling = {
  sale: SellCards;
  /** Identifies the request; a repeated one finds what it sold. */
  claim: string;
  cashier: StaffActor;
  language: string;
};

/**
 * Sells a pass or value on several trip cards with one payment: on all or on none.
 * @returns the id of the sale
 * @throws {ApiError} as `planSale`; cards_refused, price_changed, no_invoices
 */
export async function sellCards(context: Context, selling: Selling): Promise<string> {
  const id = await inTransaction(
    context.db,
    async (tx) => {
      const { sale, claim, cashier } = selling;
      const [earlier] = await tx.select().from(cardSales).where(eq(cardSales.idempotencyKey, claim));
      if (earlier) return earlier.id;
      const plan = await planSale(tx, sale, { locks: true });
      if (plan.problems.length > 0) throw new ApiError('cards_refused', { field: 'cards' });
      const count = plan.cards.length + plan.newCards;
      if (count * plan.amount !== sale.total) throw new ApiError('price_changed', { field: 'total' });
      const written = await insertSale(tx, context, { plan, count, selling });
      const { language } = await loadWebSettings({ db: tx });
      for (const card of await takeCards(tx, context, { plan, language })) {
        await putOnCard(tx, context, { card, sale: written, cashier });
      }
      await issueDocument(tx, context, { sale: written, selling });
      await recordAudit(tx, context, {
        ...{ actor: cashier, action: 'cards_sold', objectKind: 'card_sale', objectId: written.id },
        ...{ before: {}, after: { method: written.method, amount: sale.total, cards: count }, reason: null },
      });
      return written.id;
    },
    (error) => violatedUniqueConstraint(error) !== null,
  );
  wakeMailWorker(context.jobs);
  return id;
}

async function insertSale(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  {
    plan: { pass, amount, currency },
    count,
    selling: { sale, claim, cashier },
  }: { plan: CardSalePlan; count: number; selling: Selling },
): Promise<CardSaleRow> {
  const { payment } = sale;
  const inserted = await tx
    .insert(cardSales)
    .values({
      ...{ id: newId('csl'), staffId: cashier.staffId, method: payment.method, pass, cards: count },
      terminalReference: payment.method === 'terminal' ? payment.reference : null,
      ...{ amount, currency, idempotencyKey: claim, insertedAt: clock.now() },
    })
    .returning();
  return writtenRow(inserted);
}

/** The cards as they take what is sold: plastic ones that become a pass, and new ones. */
async function takeCards(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { plan: { pass, cards, newCards, currency }, language }: { plan: CardSalePlan; language: string },
): Promise<TripCardRow[]> {
  const now = clock.now();
  const name = pass ? translateTexts(pass, language).name : DEFAULT_CARD_NAME;
  const kind = pass ? { unit: 'trips' as const, pass, name } : { name };
  const taken: TripCardRow[] = [];
  for (const card of cards) {
    const becomesPass = pass !== null && card.pass === null;
    const changed = becomesPass
      ? await tx.update(tripCards).set(kind).where(eq(tripCards.id, card.id)).returning()
      : [card];
    taken.push(writtenRow(changed));
  }
  if (newCards === 0) return taken;
  const issued = Array.from({ length: newCards }, () => ({
    ...{ id: newId('tcd'), number: newCardNumber(), currency, ...kind },
    ...{ insertedAt: now, updatedAt: now },
  }));
  return [...taken, ...(await tx.insert(tripCards).values(issued).returning())];
}

async function putOnCard(
  tx: Database,
  context: Context,
  { card, sale, cashier }: { card: TripCardRow; sale: CardSaleRow; cashier: StaffActor },
): Promise<void> {
  const { pass, amount } = sale;
  const receiptNumber = createReference((below) => randomInt(below));
  const topUp = await insertTopUp(tx, context, {
    ...{ card, byCustomerId: null, saleId: sale.id, amount, pass, trigger: 'manual', paymentCardId: null },
    ...{ status: 'succeeded', receiptNumber, completedAt: context.clock.now(), idempotencyKey: null },
    startedFrom: fingerprintNetwork(context, cashier.network),
  });
  if (pass) {
    await addTrips(tx, context, { card, topUp, pass, receiptNumber });
    return;
  }
  await postEntry(tx, context, {
    ...{ tripCardId: card.id, kind: 'top_up', amount, topUpId: topUp.id, cause: { code: 'top_up' } },
    ...{ idempotencyKey: `top_up:${topUp.id}`, actor: 'staff' },
  });
}

/** The invoice, which is mailed; or the receipt of what was paid in person, if the settings say who issues it. */
async function issueDocument(
  tx: Database,
  context: Pick<Context, 'clock'>,
  {
    sale,
    selling: {
      sale: { payment },
      cashier: { staffId },
      language,
    },
  }: { sale: CardSaleRow; selling: Selling },
): Promise<void> {
  if (payment.method !== 'invoice') {
    const settings = await loadWebSettings({ db: tx });
    const seller = findSeller(settings);
    if (seller) await issueSaleReceipt(tx, context, { sale, recipient: null, seller, settings, language });
    return;
  }
  const { recipient, email, days } = payment;
  const terms = await requireInvoiceTerms({ ...context, db: tx }, days);
  const receipt = await issueSaleReceipt(tx, context, { sale, recipient, language, ...terms });
  const invoice = await openInvoice(tx, context, { receipt, email, staffId });
  await queueInvoiceMail(tx, context, { kind: 'invoice', invoice, receipt });
}
