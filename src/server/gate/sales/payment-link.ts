import type { PaymentLink } from '#contract/gate/sales/schemas.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import { localize } from '#messages/languages.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import { recordHeldBackSales, takeFromHeldBack } from '#server/capacity/sell-held-back.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import type { OrderRecord } from '#server/orders/queries.ts';
import { isUnpaid } from '#server/orders/unpaid.ts';
import { checkInClosesAt } from '#server/sailings/presenter.ts';
import { findTimetable } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import type { QueueEntryRow } from '../queue/leave-behind.ts';
import { orderAtRamp, serveEntry } from './sell.ts';

type Input = {
  entryId: string;
  link: PaymentLink;
  /** Identifies the request; a repeated one continues the same sale. */
  claim: string;
  seller: StaffActor;
  /** The seller's. */
  language: string;
};

/**
 * Sells a waiting party its tickets to be paid later: its places are held until the deadline, and the buyer gets a mail with
 * the link to the order, which is paid there as any other. If it fails, the places are free again.
 * @throws {ApiError} as `orderAtRamp`; not_found, also of a party that another person serves; sales_closed if there is no
 * time left to pay; below_smallest_charge
 */
export async function sendPaymentLink(
  context: Context,
  { entryId, link, claim, seller, language }: Input,
): Promise<OrderRecord> {
  const { quote_id: quoteId, name, email, plate, held_back: heldBackIds } = link;
  const mailLanguage = await findMailLanguage(context, link, language);
  return serveEntry(context, { entryId, claim, quoteId, plate }, async (entry, ownPlate) => {
    const payUntil = await findDeadline(context, entry, link.minutes);
    const record = await orderAtRamp(
      context,
      {
        ...{ quoteId, claim, cashier: seller, language: mailLanguage, payUntil, heldBackIds },
        ...{ contact: { name, email, phone: entry.phone }, plate: ownPlate },
      },
      async ({ id, total, currency }) => {
        if (total < getChargeRules(currency).smallest) throw new ApiError('below_smallest_charge');
        await mailLink(context, { orderId: id, payUntil, seller, heldBackIds });
      },
    );
    wakeMailWorker(context.jobs);
    return record;
  });
}

async function findMailLanguage(
  context: Context,
  { language }: PaymentLink,
  sellers: string,
): Promise<string> {
  if (language === undefined) return sellers;
  return localize(language, (await loadWebSettings(context)).language);
}

type MailedLink = { orderId: string; payUntil: Date; seller: StaffActor; heldBackIds: readonly string[] };

async function mailLink(
  context: Context,
  { orderId, payUntil, seller, heldBackIds }: MailedLink,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order || !isUnpaid(order)) throw new ApiError('already_paid');
    const sales = await takeFromHeldBack(tx, { ids: heldBackIds, holdId: order.holdId });
    await queueOrderMail(tx, context, { kind: 'order-payment-link', orderId });
    await recordAudit(tx, context, {
      ...{ actor: seller, action: 'payment_link_sent', objectKind: 'order', objectId: orderId, reason: null },
      ...{ before: {}, after: { amount: order.total, pay_until_at: payUntil.toISOString() } },
    });
    await recordHeldBackSales(tx, context, { sales, actor: seller });
  });
}

/** @throws {ApiError} sales_closed */
async function findDeadline(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { sailingId, party }: QueueEntryRow,
  minutes: number,
): Promise<Date> {
  const [sailing] = await findTimetable(db, [sailingId]);
  if (!sailing) throw notFound();
  const now = clock.now().getTime();
  const end = Math.min(
    now + minutes * 60_000,
    sailing.salesCloseAt.getTime(),
    checkInClosesAt(sailing, { hasVehicle: party.vehicle !== null }),
  );
  if (end <= now || sailing.checkInClosedAt !== null) {
    throw new ApiError('sales_closed', { reason: 'no_time_to_pay' });
  }
  return new Date(end);
}
