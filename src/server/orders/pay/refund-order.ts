import { eq } from 'drizzle-orm';
import { parseDecimal } from '#domain/fares/money.ts';
import { formatMoney } from '#domain/format/money.ts';
import { parseReference } from '#domain/orders/reference.ts';
import { FULL_REFUND } from '#domain/refunds/refund-tiers.ts';
import { listRefundablePayments } from '#domain/refunds/split-refund.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { type Database, writtenRow } from '#server/database/database.ts';
import { type OrderRow, orders, type RefundRow, type TicketRow } from '#server/database/schema/sales.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { lockOrder } from '../confirm-order.ts';
import { cancelTickets, closeCancellation } from '../crossings/cancel-tickets.ts';
import { planRefund, withJoinedTickets } from '../plan-cancellation.ts';
import { isUnused, listSoldTickets, readStoredOrder, type StoredOrder } from '../queries.ts';
import { paidStatus, sumRefunded } from './order-refunds.ts';
import { type RefundContext, refundAmount, repeatFailedRefunds, TripCardGone } from './refund-payments.ts';

/** An order cannot be refunded; the message is for the operator. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused';
}

/**
 * What is refunded: all tickets that are left, the tickets with these boarding codes, an amount without canceling
 * anything (decimal text), or only refunds that failed.
 */
export type RefundScope =
  | { kind: 'all' }
  | { kind: 'tickets'; boardingCodes: readonly string[] }
  | { kind: 'amount'; amount: string }
  | { kind: 'failed' };

/**
 * `note`: the operator's reason, stored with the refunds. `version`: the order's, as a preview showed it; any other is
 * refused, so that a repeated command gives nothing back again.
 */
export type RefundInput = {
  reference: string;
  toTripCard: string | null;
  scope?: RefundScope;
  note?: string;
  version?: number;
};

/** `given_back_again`: the order was canceled before, and failed refunds were repeated. */
export type RefundResult = {
  order: OrderRow;
  refunds: RefundRow[];
  done: 'canceled' | 'partly_canceled' | 'amount' | 'given_back_again' | 'nothing';
};

type Request = { sold: StoredOrder; destination: string | null; note: string | null };
type Outcome = Pick<RefundResult, 'order' | 'done'> & { added: RefundRow[] };

/**
 * Refunds an order, or a part of it, in full: the operator is not bound by the fare's rules. Canceled tickets put their
 * places back on sale. Each payment goes back to where it came from, in the proportion paid, or to one trip card. Trip
 * cards are credited in this transaction; jobs request the others from the card provider. Repeated for a canceled
 * order, it retries failed refunds and changes nothing else.
 * @param input toTripCard: 16 digits; null: to where the payments came from
 * @throws {RefundRefused}
 */
export function refundOrder(context: RefundContext, input: RefundInput): Promise<RefundResult> {
  return inTransaction(context.db, (tx) => refundInTransaction(tx, context, input));
}

/**
 * What `refundOrder` would do; nothing is changed.
 * @returns version: of the order now
 * @throws {RefundRefused}
 */
export async function previewRefund(
  context: RefundContext,
  input: RefundInput,
): Promise<{ result: RefundResult; version: number }> {
  let preview: { result: RefundResult; version: number } | undefined;
  await inTransaction(context.db, async (tx) => {
    const { version } = await findOrder(tx, input.reference);
    preview = { result: await refundInTransaction(tx, context, input), version };
    throw new RolledBack();
  }).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  if (!preview) throw new Error('A preview has no result.');
  return preview;
}

/** Ends the transaction of a preview. */
class RolledBack extends Error {}

async function findOrder(tx: Database, reference: string): Promise<OrderRow> {
  const [row] = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.reference, reference.trim().toUpperCase()));
  const order = row && (await lockOrder(tx, row.id));
  if (!order) throw new RefundRefused('There is no order with that reference.');
  return order;
}

async function refundInTransaction(
  tx: Database,
  context: RefundContext,
  { reference, toTripCard, scope = { kind: 'all' }, note, version }: RefundInput,
): Promise<RefundResult> {
  const order = await findOrder(tx, reference);
  if (version !== undefined && version !== order.version) {
    throw new RefundRefused(
      'The order has changed since the preview, perhaps by this command. Look at it again.',
    );
  }
  if (order.paymentStatus === 'disputed') {
    throw new RefundRefused('Its card holder contests the payment; the bank decides about that money.');
  }
  const sold = await readStoredOrder(tx, order);
  const isOver = order.status !== 'confirmed' && order.status !== 'partly_canceled';
  const isRetry = scope.kind === 'failed' || (scope.kind === 'all' && isOver && sold.refunds.length > 0);
  if (!isRetry) requirePaid(order, scope);
  const destination = toTripCard === null ? null : await requireTripCard(tx, toTripCard, order.currency);
  const request = { sold, destination, note: note ?? null };
  const { added, ...outcome } = await explainRefusals(() => {
    if (isRetry) return repeatFailed(tx, context, request);
    if (scope.kind === 'amount') return refundGoodwill(tx, context, { ...request, text: scope.amount });
    const chosen = scope.kind === 'tickets' ? findTickets(sold, scope.boardingCodes) : listUnused(sold);
    return cancelAndRefund(tx, context, { ...request, chosen });
  });
  return { ...outcome, refunds: [...sold.refunds, ...added] };
}

async function cancelAndRefund(
  tx: Database,
  context: RefundContext,
  { sold, destination, note, chosen }: Request & { chosen: readonly TicketRow[] },
): Promise<Outcome> {
  const refund = planRefund(sold, chosen, () => FULL_REFUND);
  const cancellation = await cancelTickets(tx, context, { sold, refund, actor: 'operator' });
  const added = await refundAmount(tx, context, {
    sold,
    destination,
    amount: refund.refund,
    trips: refund.trips,
    reason: 'operator',
    note,
    cancellationId: cancellation.id,
  });
  const order = await closeCancellation(tx, context, { order: sold.order, refund: refund.refund });
  const isWhole = order.status === 'canceled';
  if (isWhole) added.push(...(await repeatFailedRefunds(tx, context, { sold, destination, note })));
  await queueOrderMail(tx, context, {
    kind: 'order-given-back',
    orderId: order.id,
    cancellationId: cancellation.id,
  });
  return { order, added, done: isWhole ? 'canceled' : 'partly_canceled' };
}

async function repeatFailed(
  tx: Database,
  context: RefundContext,
  { sold, destination, note }: Request,
): Promise<Outcome> {
  const added = await repeatFailedRefunds(tx, context, { sold, destination, note });
  if (added.length === 0) return { order: sold.order, added, done: 'nothing' };
  const order = await writeRefunded(tx, context, sold.order, 'Your money is on its way back.');
  if (order.status === 'canceled') {
    await queueOrderMail(tx, context, { kind: 'order-given-back', orderId: order.id });
  }
  return { order, added, done: 'given_back_again' };
}

async function refundGoodwill(
  tx: Database,
  context: RefundContext,
  { sold, destination, note, text }: Request & { text: string },
): Promise<Outcome> {
  const { order, payments, refunds } = sold;
  const amount = parseDecimal(text, order.currency);
  if (amount === null || amount <= 0 || amount % getChargeRules(order.currency).step !== 0) {
    throw new RefundRefused(`${text} is not an amount of ${order.currency} that a card can be refunded.`);
  }
  const left = listRefundablePayments(payments, refunds).reduce((sum, payment) => sum + payment.left, 0);
  if (amount > left) {
    throw new RefundRefused(
      `Only ${formatMoney(left, order.currency, order.locale)} is left of what was paid.`,
    );
  }
  const added = await refundAmount(tx, context, {
    sold,
    destination,
    amount,
    trips: [],
    reason: 'goodwill',
    note,
    cancellationId: null,
  });
  const written = await writeRefunded(tx, context, order, 'We have refunded a part of this order.');
  await queueOrderMail(tx, context, { kind: 'order-part-refunded', orderId: order.id });
  return { order: written, added, done: 'amount' };
}

async function writeRefunded(
  tx: Database,
  { clock }: RefundContext,
  order: OrderRow,
  notice: string,
): Promise<OrderRow> {
  const refunded = await sumRefunded(tx, order);
  const written = await tx
    .update(orders)
    .set({
      // In an order that was never paid, only a second payment can be refunded.
      ...(order.paid > 0 ? { refunded, paymentStatus: paidStatus({ paid: order.paid, refunded }) } : {}),
      notice,
      version: order.version + 1,
      updatedAt: clock.now(),
    })
    .where(eq(orders.id, order.id))
    .returning();
  return writtenRow(written);
}

function requirePaid({ status, paid }: OrderRow, { kind }: RefundScope): void {
  const isOpen = status === 'confirmed' || status === 'partly_canceled';
  if (paid > 0 && (isOpen || (kind === 'amount' && status !== 'expired'))) return;
  throw new RefundRefused('Only an order that is confirmed and paid can be refunded.');
}

/** All tickets that are left; refused if one has been used. */
function listUnused(sold: StoredOrder): TicketRow[] {
  const left = listSoldTickets(sold);
  if (!left.every(isUnused)) throw new RefundRefused('Tickets of this order have been used.');
  return left;
}

function findTickets(sold: StoredOrder, boardingCodes: readonly string[]): TicketRow[] {
  const left = listSoldTickets(sold);
  const chosen = boardingCodes.map((text) => {
    const ticket = left.find(({ boardingCode }) => boardingCode === parseReference(text, ' '));
    if (!ticket) throw new RefundRefused(`${text} is not the boarding code of a ticket of this order.`);
    if (!isUnused(ticket)) throw new RefundRefused(`The ticket ${text} has been used.`);
    return ticket;
  });
  return withJoinedTickets(sold, chosen);
}

async function requireTripCard(tx: Database, number: string, currency: string): Promise<string> {
  const [card] = await tx
    .select({ id: tripCards.id, unit: tripCards.unit, currency: tripCards.currency })
    .from(tripCards)
    .where(eq(tripCards.number, parseTripCardNumber(number) ?? ''));
  if (!card) throw new RefundRefused('There is no trip card with that number.');
  if (card.unit === 'trips') throw new RefundRefused('That card is a pass, which holds no money.');
  if (card.currency !== currency) throw new RefundRefused('That trip card is in another currency.');
  return card.id;
}

async function explainRefusals<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TripCardGone)) throw error;
    throw new RefundRefused(
      'The account of the trip card that paid is gone. Name another card with --to-trip-card.',
    );
  }
}
