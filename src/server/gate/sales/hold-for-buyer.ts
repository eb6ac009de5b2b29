import { and, eq } from 'drizzle-orm';
import type { PaymentLink, PierHold } from '#contract/gate/sales/schemas.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import { localize } from '#messages/languages.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import { recordHeldBackSales, takeFromHeldBack } from '#server/capacity/sell-held-back.ts';
import type { Context } from '#server/context.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queuePaymentLink } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import type { OrderRecord } from '#server/orders/queries.ts';
import { isUnpaid } from '#server/orders/unpaid.ts';
import { getOnlinePaymentEnd } from '#server/sailings/presenter.ts';
import { findTimetable } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import type { QueueEntryRow } from '../queue/leave-behind.ts';
import { orderAtRamp, serveEntry } from './sell.ts';

/** A minute in milliseconds. */
const MINUTE = 60_000;
/** Places that are paid at the pier are free again this long before departure, if no shorter time is chosen. */
const PIER_MARGIN_MS = 30 * MINUTE;

/** How the buyer pays: by card with a mailed link, or in person. */
type Hold = ({ by: 'link' } & PaymentLink) | ({ by: 'pier' } & PierHold);

type Input = {
  entryId: string;
  hold: Hold;
  /** Identifies the request; a repeated one continues the same sale. */
  claim: string;
  seller: StaffActor;
  /** The seller's. */
  language: string;
};

/**
 * Sells a waiting party its tickets to be paid later: its places are held until the deadline. A buyer who pays by link gets a
 * mail with the link to the order, which is paid there as any other. If it fails, the places are free again.
 * @throws {ApiError} as `orderAtRamp`; not_found, also of a party that another person serves; sales_closed if there is no
 * time left to pay; below_smallest_charge; invalid_input without a way to reach the buyer
 */
export async function holdForBuyer(
  context: Context,
  { entryId, hold, claim, seller, language }: Input,
): Promise<OrderRecord> {
  const { quote_id: quoteId, name, plate, held_back: heldBackIds } = hold;
  const mailLanguage = await findMailLanguage(context, hold, language);
  return serveEntry(context, { entryId, claim, quoteId, plate }, async (entry, ownPlate) => {
    const payUntil = await findDeadline(context, entry, hold);
    const phone = hold.by === 'pier' ? hold.phone : entry.phone;
    const record = await orderAtRamp(
      context,
      {
        ...{ quoteId, claim, cashier: seller, language: mailLanguage, payUntil, heldBackIds },
        ...{ contact: { name, email: hold.email ?? '', phone }, plate: ownPlate },
      },
      async ({ id, total, currency }) => {
        if (hold.by === 'link' && total < getChargeRules(currency).smallest) {
          throw new ApiError('below_smallest_charge');
        }
        await recordHold(context, { orderId: id, by: hold.by, payUntil, seller, heldBackIds });
      },
    );
    wakeMailWorker(context.jobs);
    return record;
  });
}

async function findMailLanguage(context: Context, hold: Hold, sellers: string): Promise<string> {
  if (hold.by === 'pier' || hold.language === undefined) return sellers;
  return localize(hold.language, (await loadWebSettings(context)).language);
}

type NewHold = Pick<Hold, 'by'> & {
  orderId: string;
  payUntil: Date;
  seller: StaffActor;
  heldBackIds: readonly string[];
};

async function recordHold(
  context: Context,
  { orderId, by, payUntil, seller, heldBackIds }: NewHold,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order || !isUnpaid(order)) throw new ApiError('already_paid');
    const action = by === 'link' ? 'payment_link_sent' : 'places_held';
    // A request is repeated if the server failed before it answered.
    const isRecorded = and(eq(auditLog.objectId, orderId), eq(auditLog.action, action));
    if ((await tx.$count(auditLog, isRecorded)) > 0) return;
    const sales = await takeFromHeldBack(tx, { ids: heldBackIds, holdId: order.holdId });
    if (by === 'link') await queuePaymentLink(tx, context, { orderId, changeId: null });
    await recordAudit(tx, context, {
      ...{ actor: seller, action, objectKind: 'order', objectId: orderId, reason: null },
      ...{ before: {}, after: { amount: order.total, pay_until_at: payUntil.toISOString() } },
    });
    await recordHeldBackSales(tx, context, { sales, actor: seller });
  });
}

/** @throws {ApiError} sales_closed */
async function findDeadline(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { sailingId, party }: QueueEntryRow,
  { by, minutes }: Hold,
): Promise<Date> {
  const [sailing] = await findTimetable(db, [sailingId]);
  if (!sailing) throw notFound();
  const now = clock.now().getTime();
  const departs = getExpectedTimes(sailing).departsAt;
  const chosen = minutes === null ? departs - PIER_MARGIN_MS : now + minutes * MINUTE;
  const hasVehicle = party.vehicle !== null;
  const end = Math.min(chosen, by === 'pier' ? departs : getOnlinePaymentEnd(sailing, { hasVehicle }));
  if (end <= now) {
    throw new ApiError('sales_closed', { reason: by === 'link' ? 'no_time_to_pay' : 'no_time_to_hold' });
  }
  return new Date(end);
}
