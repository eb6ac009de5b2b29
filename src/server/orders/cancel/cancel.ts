import { and, eq, inArray } from 'drizzle-orm';
import type { CancellationQuote } from '#contract/orders/cancel/schemas.ts';
import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import { isReturnLeg } from '#domain/orders/legs.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { listRefundablePayments, splitRefund } from '#domain/refunds/split-refund.ts';
import type { Translate } from '#messages/translate.ts';
import { titleTicket } from '#sentences/order-lines.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Database } from '#server/database/database.ts';
import type { CancellationRow, OrderRow } from '#server/database/schema/sales.ts';
import { passengerTypes } from '#server/database/schema/timetable.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { findChoices } from '#server/sailings/offers/find-choices.ts';
import { lockOrder } from '../confirm-order.ts';
import { cancelTickets, closeCancellation } from '../crossings/cancel-tickets.ts';
import { explainConflicts } from '../crossings/explain-conflicts.ts';
import { closeLeftPayment } from '../pay/open-payments.ts';
import { describeRefunded } from '../pay/refund-order.ts';
import { refundAmount } from '../pay/refund-payments.ts';
import { listSoldTickets, type OrderRecord, readStoredOrder, type StoredOrder } from '../queries.ts';
import { presentDestinations } from './destinations.ts';
import type { CancellableOrder } from './party.ts';
import { type Plan, planCancellation } from './plan.ts';
import { listRefundCards, requireRefundCard } from './refund-cards.ts';

/** Shows the refund of each line and its destinations. */
export async function quoteCancellation(
  context: Context,
  {
    record,
    ticketIds,
    ...reader
  }: { record: OrderRecord; ticketIds: readonly string[]; isOwner: boolean; language: string },
): Promise<CancellationQuote> {
  const now = context.clock.now();
  const order = await readCancellableOrder(context.db, record, { legs: record.legs, now });
  const plan = planCancellation(order, { ticketIds, now });
  const cards = await listRefundCards(context.db, record);
  return {
    ...presentQuote(record, { plan, ...reader }),
    trip_cards: cards.map(({ id, name, number }) => ({ id, name, last_four: number.slice(-4) })),
  };
}

/**
 * Cancels tickets with their places and refunds them, as quoted.
 * @param input version, refund: of the quote; prove: uses up the proof that the caller may do so
 * @throws {ApiError} version_conflict if the order or the refund has changed since; the refusals of `planCancellation`
 */
export async function cancelAsQuoted(
  context: Context,
  input: {
    record: OrderRecord;
    ticketIds: readonly string[];
    version: number;
    refund: number;
    /** One of the owner's trip cards, which gets the refund; null: to where the payments came from. */
    tripCardId: string | null;
    actor: CancellationRow['actor'];
    prove: (tx: Database, order: OrderRow) => Promise<void>;
    /** The staff member who does it for the buyer, for the audit log. */
    staff?: StaffActor;
  },
): Promise<void> {
  const requested = await explainConflicts(
    () => inTransaction(context.db, (tx) => cancelInTransaction(tx, context, input)),
    'card_gone_at_refund',
  );
  wakeMailWorker(context.jobs);
  await closeLeftPayment(context, input.record.order.id);
  for (const id of requested) await context.jobs.send('refund', { refund_id: id });
}

async function cancelInTransaction(
  tx: Database,
  context: Context,
  {
    record,
    ticketIds,
    version,
    refund: quoted,
    tripCardId,
    actor,
    prove,
    staff,
  }: Parameters<typeof cancelAsQuoted>[1],
): Promise<string[]> {
  const now = context.clock.now();
  const locked = await lockOrder(tx, record.order.id);
  if (!locked) throw notFound();
  const sold = await readStoredOrder(tx, locked);
  const order = await readCancellableOrder(tx, sold, { legs: record.legs, now });
  const plan = planCancellation(order, { ticketIds, now });
  const { refund } = plan;
  if (locked.version !== version || refund.refund !== quoted) throw new ApiError('version_conflict');
  await requireRefundCard(tx, sold, tripCardId);
  await prove(tx, locked);
  const cancellation = await cancelTickets(tx, context, { sold, refund, actor });
  const written = await refundAmount(tx, context, {
    sold,
    destination: tripCardId,
    amount: refund.refund,
    trips: refund.trips,
    reason: plan.isByOperator ? 'sailing_canceled' : 'customer',
    cancellationId: cancellation.id,
  });
  const closed = await closeCancellation(tx, context, locked);
  await queueOrderMail(tx, context, {
    kind: 'order-tickets-canceled',
    orderId: locked.id,
    cancellationId: cancellation.id,
  });
  if (staff) {
    await recordAudit(tx, context, {
      ...{ actor: staff, action: 'tickets_canceled', objectKind: 'order', objectId: locked.id, reason: null },
      before: describeRefunded(locked, sold.refunds),
      after: describeRefunded(closed, [...sold.refunds, ...written]),
    });
  }
  return written.filter(({ status }) => status === 'requested').map(({ id }) => id);
}

/** Adds what a cancellation depends on besides the order's rows. */
async function readCancellableOrder(
  db: Database,
  sold: StoredOrder,
  { legs, now }: { legs: OrderRecord['legs']; now: Date },
): Promise<CancellableOrder> {
  const codes = sold.lines.flatMap(({ typeCode }) => typeCode ?? []);
  const types = await db
    .select({ code: passengerTypes.code })
    .from(passengerTypes)
    .where(and(inArray(passengerTypes.code, codes), eq(passengerTypes.needsAdult, true)));
  return {
    sold,
    legs,
    needAdult: new Set(types.map(({ code }) => code)),
    choices: await findChoices(db, { orderId: sold.order.id, now }),
  };
}

function presentQuote(
  record: OrderRecord,
  { plan, isOwner, language }: { plan: Plan; isOwner: boolean; language: string },
): Omit<CancellationQuote, 'trip_cards'> {
  const { order, payments, refunds, names } = record;
  const lines = record.lines.map((line) => names.translateLine(line, language));
  const t = textsIn(language);
  const { refund, tickets } = plan;
  const money = refund.trips.reduce((rest, { amount }) => rest - amount, refund.refund);
  const parts = [
    ...refund.trips.map(({ paymentId: id, amount, trips }) => ({ id, amount, trips: trips.length })),
    ...splitRefund(money, listRefundablePayments(payments, refunds), order.currency),
  ];
  return {
    version: order.version,
    tickets: tickets.map((ticket) => {
      const {
        paid = 0,
        fee = 0,
        refund: given = 0,
      } = refund.tickets.find(({ id }) => id === ticket.id) ?? {};
      const name = findTravelerName(order.travelerNames, ticket);
      return {
        ticket_id: ticket.id,
        leg: ticket.leg,
        title: titleTicket(t, ticket, { lines, plate: order.plate }),
        ...(isDriversTicket(lines, ticket) ? { is_driver: true } : {}),
        ...(name === undefined ? {} : { traveler_name: name }),
        ...{ paid, fee, refund: given },
      };
    }),
    ...{ paid: refund.paid, fee: refund.fee, refund: refund.refund },
    currency: order.currency,
    destinations: presentDestinations(record, { parts, isOwner }),
    is_whole_order: listSoldTickets(record).length === tickets.length,
    needs_code: order.customerId === null,
    notes: describeNotes(t, lines, plan),
  };
}

function isDriversTicket(lines: OrderRecord['lines'], { lineId }: { lineId: string }): boolean {
  return lines.some((line) => line.id === lineId && isIncludedDriver(line));
}

function describeNotes(
  t: Translate,
  lines: OrderRecord['lines'],
  { joined, tickets, isByOperator }: Plan,
): string[] {
  const hasDriver = joined.some((ticket) => isDriversTicket(lines, ticket));
  const hasOtherBoat = joined.some((ticket) =>
    tickets.some(
      (other) =>
        !joined.includes(other) &&
        other.partyIndex === ticket.partyIndex &&
        other.leg !== ticket.leg &&
        isReturnLeg(other.leg) === isReturnLeg(ticket.leg),
    ),
  );
  return [
    ...(isByOperator ? [t('We cause this cancellation, so all of it is refunded.')] : []),
    ...(hasDriver
      ? [t('The driver’s ticket is included in the vehicle’s fare and is canceled with it.')]
      : []),
    ...(hasOtherBoat ? [t('A journey with a change is canceled on both boats.')] : []),
  ];
}
