import { eq } from 'drizzle-orm';
import type { OrderNotice } from '#contract/orders/statuses.ts';
import { parseDecimal } from '#domain/fares/money.ts';
import { formatMoney } from '#domain/format/money.ts';
import { parseReference } from '#domain/orders/reference.ts';
import { FULL_REFUND } from '#domain/refunds/refund-tiers.ts';
import { listRefundablePayments } from '#domain/refunds/split-refund.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import type { GivenReason } from '#sentences/errors/error-reasons.ts';
import { bookOrder } from '#server/accounting/book-order.ts';
import { type AuditActor, recordAudit } from '#server/audit/record-audit.ts';
import { type Database, writtenRow } from '#server/database/database.ts';
import type { AuditedFields } from '#server/database/schema/audit.ts';
import { type OrderRow, orders, type RefundRow, type TicketRow } from '#server/database/schema/sales.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { lockOrder } from '../confirm-order.ts';
import { cancelTickets, closeCancellation } from '../crossings/cancel-tickets.ts';
import { planRefund, withJoinedTickets } from '../plan-cancellation.ts';
import { isUnused, listSoldTickets, readStoredOrder, type StoredOrder } from '../queries.ts';
import { paidStatus, sumRefunded } from './order-refunds.ts';
import { type RefundContext, refundAmount, repeatFailedRefunds, TripCardGone } from './refund-payments.ts';

/** An order cannot be refunded; the message is for the operator. */
export class RefundRefused extends ApiError {
  constructor(reason: GivenReason) {
    super('refund_refused', reason);
    this.name = 'RefundRefused';
  }
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
 * refused, so that a repeated command gives nothing back again. `actor`: for the audit log.
 */
export type RefundInput = {
  reference: string;
  toTripCard: string | null;
  scope?: RefundScope;
  note?: string;
  version?: number;
  actor: AuditActor;
};

/** `given_back_again`: the order was canceled before, and failed refunds were repeated. */
export type RefundResult = {
  order: OrderRow;
  /** All refunds of the order, and those among them that this one added. */
  refunds: RefundRow[];
  added: RefundRow[];
  /** The tickets that it canceled. */
  canceled: readonly TicketRow[];
  done: 'canceled' | 'partly_canceled' | 'amount' | 'given_back_again' | 'nothing';
};

type Request = { sold: StoredOrder; destination: string | null; note: string | null };
type Outcome = Omit<RefundResult, 'refunds'>;

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
  if (!order) throw new RefundRefused({ reason: 'unknown_order' });
  return order;
}

/** `refundOrder` in the caller's transaction. */
export async function refundInTransaction(
  tx: Database,
  context: RefundContext,
  { reference, toTripCard, scope = { kind: 'all' }, note, version, actor }: RefundInput,
): Promise<RefundResult> {
  const order = await findOrder(tx, reference);
  if (version !== undefined && version !== order.version) {
    throw new RefundRefused({ reason: 'order_changed' });
  }
  if (order.paymentStatus === 'disputed') {
    throw new RefundRefused({ reason: 'payment_contested' });
  }
  const sold = await readStoredOrder(tx, order);
  const isOver = order.status !== 'confirmed' && order.status !== 'partly_canceled';
  const isRetry = scope.kind === 'failed' || (scope.kind === 'all' && isOver && sold.refunds.length > 0);
  if (!isRetry) requirePaid(order, scope);
  const destination = toTripCard === null ? null : await requireTripCard(tx, toTripCard, order.currency);
  const request = { sold, destination, note: note ?? null };
  const outcome = await explainRefusals(() => {
    if (isRetry) return repeatFailed(tx, context, request);
    if (scope.kind === 'amount') return refundGoodwill(tx, context, { ...request, text: scope.amount });
    const chosen = scope.kind === 'tickets' ? findTickets(sold, scope.boardingCodes) : listUnused(sold);
    return cancelAndRefund(tx, context, { ...request, chosen });
  });
  if (outcome.done !== 'nothing') {
    await recordAudit(tx, context, {
      actor,
      action: 'order_refunded',
      objectKind: 'order',
      objectId: order.id,
      before: describeRefunded(order, sold.refunds),
      after: describeRefunded(outcome.order, [...sold.refunds, ...outcome.added]),
      reason: note ?? null,
    });
  }
  return { ...outcome, refunds: [...sold.refunds, ...outcome.added] };
}

/**
 * What the audit log has of a refund. A repeated refund changes neither the order's status nor its sum, so the number of
 * refunds is there too.
 */
export function describeRefunded(
  { status, paymentStatus, refunded }: OrderRow,
  refunds: readonly RefundRow[],
): AuditedFields {
  return { status, payment_status: paymentStatus, refunded, refunds: refunds.length };
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
  const order = await closeCancellation(tx, context, sold.order);
  const isWhole = order.status === 'canceled';
  if (isWhole) added.push(...(await repeatFailedRefunds(tx, context, { sold, destination, note })));
  await queueOrderMail(tx, context, {
    kind: 'order-given-back',
    orderId: order.id,
    cancellationId: cancellation.id,
  });
  return { order, added, canceled: chosen, done: isWhole ? 'canceled' : 'partly_canceled' };
}

async function repeatFailed(
  tx: Database,
  context: RefundContext,
  { sold, destination, note }: Request,
): Promise<Outcome> {
  const added = await repeatFailedRefunds(tx, context, { sold, destination, note });
  if (added.length === 0) return { order: sold.order, added, canceled: [], done: 'nothing' };
  const order = await writeRefunded(tx, context, sold.order, 'refund_repeated');
  if (order.status === 'canceled') {
    await queueOrderMail(tx, context, { kind: 'order-given-back', orderId: order.id });
  }
  return { order, added, canceled: [], done: 'given_back_again' };
}

async function refundGoodwill(
  tx: Database,
  context: RefundContext,
  { sold, destination, note, text }: Request & { text: string },
): Promise<Outcome> {
  const { order, payments, refunds } = sold;
  const amount = parseDecimal(text, order.currency);
  if (amount === null || amount <= 0 || amount % getChargeRules(order.currency).step !== 0) {
    const params = { amount: text, currency: order.currency };
    throw new RefundRefused({ reason: 'not_refundable_amount', params });
  }
  const left = listRefundablePayments(payments, refunds).reduce((sum, payment) => sum + payment.left, 0);
  if (amount > left) {
    const params = { left: formatMoney(left, order.currency, order.locale) };
    throw new RefundRefused({ reason: 'too_much_refunded', params });
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
  const written = await writeRefunded(tx, context, order, 'partly_refunded');
  await bookOrder(tx, context, { orderId: order.id, cause: 'goodwill' });
  await queueOrderMail(tx, context, { kind: 'order-part-refunded', orderId: order.id });
  return { order: written, added, canceled: [], done: 'amount' };
}

async function writeRefunded(
  tx: Database,
  { clock }: RefundContext,
  order: OrderRow,
  notice: OrderNotice,
): Promise<OrderRow> {
  const refunded = await sumRefunded(tx, order);
  const written = await tx
    .update(orders)
    .set({
      // In an order that was never paid, only a second payment can be refunded.
      ...(order.paid > 0 ? { refunded, paymentStatus: paidStatus({ paid: order.paid, refunded }) } : {}),
      notice,
      writtenNotice: '',
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
  throw new RefundRefused({ reason: 'never_paid' });
}

/** All tickets that are left; refused if one has been used. */
function listUnused(sold: StoredOrder): TicketRow[] {
  const left = listSoldTickets(sold);
  if (!left.every(isUnused)) throw new RefundRefused({ reason: 'tickets_used' });
  return left;
}

function findTickets(sold: StoredOrder, boardingCodes: readonly string[]): TicketRow[] {
  const left = listSoldTickets(sold);
  const chosen = boardingCodes.map((text) => {
    const ticket = left.find(({ boardingCode }) => boardingCode === parseReference(text, ' '));
    if (!ticket) throw new RefundRefused({ reason: 'unknown_boarding_code', params: { code: text } });
    if (!isUnused(ticket)) throw new RefundRefused({ reason: 'boarding_code_used', params: { code: text } });
    return ticket;
  });
  return withJoinedTickets(sold, chosen);
}

async function requireTripCard(tx: Database, number: string, currency: string): Promise<string> {
  const [card] = await tx
    .select({ id: tripCards.id, unit: tripCards.unit, currency: tripCards.currency })
    .from(tripCards)
    .where(eq(tripCards.number, parseTripCardNumber(number) ?? ''));
  if (!card) throw new RefundRefused({ reason: 'unknown_refund_card' });
  if (card.unit === 'trips') throw new RefundRefused({ reason: 'pass_as_refund_card' });
  if (card.currency !== currency) throw new RefundRefused({ reason: 'refund_card_currency' });
  return card.id;
}

async function explainRefusals<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TripCardGone)) throw error;
    throw new RefundRefused({ reason: 'refund_card_gone' });
  }
}
