import { and, asc, eq } from 'drizzle-orm';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { receipts } from '#server/database/schema/accounting.ts';
import { invoices } from '#server/database/schema/invoices.ts';
import { cardSales, topUps } from '#server/database/schema/trip-cards.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queueInvoiceMail } from '#server/invoices/invoice-mails.ts';
import { creditInvoice, lockInvoice } from '#server/invoices/ledger.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { creditSaleReceipt } from '#server/receipts/write-sale-receipts.ts';
import { postEntry } from '#server/trip-cards/post-entry.ts';
import { lockLiveCard, type TopUpRow } from '#server/trip-cards/queries.ts';
import { isUnused } from './read-sales.ts';

/**
 * Takes a sale on an invoice back: what it put on the cards, and what its recipient owes, with a credit note that is mailed.
 * Repeated, it changes nothing.
 * @throws {ApiError} not_found; card_sale_stays if it was paid, even in part, or some of it was used
 */
export async function takeBackSale(
  context: Context,
  { saleId, actor }: { saleId: string; actor: StaffActor },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const [sale] = await tx.select().from(cardSales).where(eq(cardSales.id, saleId)).for('no key update');
    if (!sale) throw notFound();
    if (sale.takenBackAt !== null) return;
    const { staffId } = actor;
    const now = context.clock.now();
    const total = sale.cards * sale.amount;
    const credited = await creditWhole(tx, context, { saleId, total, staffId });
    const onCards = await tx
      .select()
      .from(topUps)
      .where(eq(topUps.saleId, saleId))
      .orderBy(asc(topUps.tripCardId));
    for (const topUp of onCards) await takeOffCard(tx, context, topUp);
    await tx.update(topUps).set({ takenBackAt: now, updatedAt: now }).where(eq(topUps.saleId, saleId));
    await tx.update(cardSales).set({ takenBackAt: now }).where(eq(cardSales.id, saleId));
    const document = await creditSaleReceipt(tx, context, credited.receipt);
    await queueInvoiceMail(tx, context, { kind: 'invoice-credited', ...credited, document });
    await recordAudit(tx, context, {
      ...{ actor, action: 'card_sale_taken_back', objectKind: 'card_sale', objectId: saleId },
      ...{ before: {}, after: { amount: total, cards: sale.cards }, reason: null },
    });
  });
  wakeMailWorker(context.jobs);
}

/** Credits an invoice of which nothing was paid. */
async function creditWhole(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { saleId, total, staffId }: { saleId: string; total: number; staffId: string },
) {
  const [sold] = await tx
    .select({ receipt: receipts, invoiceId: invoices.id })
    .from(receipts)
    .innerJoin(invoices, eq(invoices.receiptId, receipts.id))
    .where(and(eq(receipts.cardSaleId, saleId), eq(receipts.kind, 'receipt')));
  const locked = sold && (await lockInvoice(tx, sold.invoiceId));
  if (!locked || locked.paid > 0) throw new ApiError('card_sale_stays');
  await creditInvoice(tx, context, { invoiceId: locked.id, amount: total, staffId });
  const invoice = await lockInvoice(tx, locked.id);
  return { receipt: sold.receipt, invoice: invoice ?? locked };
}

async function takeOffCard(tx: Database, context: Context, topUp: TopUpRow): Promise<void> {
  const card = await lockLiveCard(tx, topUp.tripCardId);
  if (!isUnused(card, topUp)) throw new ApiError('card_sale_stays');
  await postEntry(tx, context, {
    ...{ tripCardId: card.id, kind: 'adjustment', amount: -(topUp.pass?.trips ?? topUp.amount) },
    ...{ topUpId: topUp.id, cause: { code: 'sale_taken_back' } },
    ...{ idempotencyKey: `take_back:${topUp.id}`, actor: 'staff' },
  });
}
