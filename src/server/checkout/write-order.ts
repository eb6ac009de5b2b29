import { randomInt } from 'node:crypto';
import type { CreateOrder } from '#contract/checkout/schemas.ts';
import { createReference } from '#domain/orders/reference.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { HoldRow, OrderRow } from '../database/schema/sales.ts';
import { violatedUniqueConstraint, withRetry } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { StoreData } from '../http/handle-calls.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { isBoardingCodeTaken } from '../orders/confirm-order.ts';
import { findLegs, type OrderRecord } from '../orders/queries.ts';
import { confirmedOrder, linesToSell } from '../orders/sell-order.ts';
import { reviewSale } from '../sailings/exceptions/review-sale.ts';
import { issueTickets } from '../tickets/issue-tickets.ts';
import { insertOrder, type KnownState } from './insert-orders.ts';
import { buildLineRows, pickSaleColumns } from './order-lines.ts';
import type { Sale } from './pricing.ts';

/** What a signed-in customer or a visitor sent. */
export type NewOrder = CreateOrder & { customerId: string | null };
/**
 * `present`: makes the answer of a record; `isPurchase`: false if the order was confirmed before this call. `store`: stores
 * the answer with a new order, null if the caller does so.
 */
export type Answering<Answer> = {
  present: (record: OrderRecord, isPurchase: boolean) => Answer;
  store: StoreData | null;
};
/** With the assistance as it is stored. */
export type OrderInput = Omit<NewOrder, 'assistance' | 'locale'> & Pick<OrderRow, 'assistance' | 'locale'>;
/** `known`: what must not have changed since it was remembered; absent if it has just been read. */
type OrderParts = { sale: Sale; hold: HoldRow; input: OrderInput; known?: KnownState };

/**
 * Writes an order with its response. An order that costs nothing is confirmed by the same statement: its places are sold,
 * its tickets issued and its mail queued.
 * @returns the answer; null if the hold has ended or already has an order, or if what was known has changed
 * @throws {ApiError} promo_used_up
 */
export async function writeOrder<Answer>(
  context: Context,
  parts: OrderParts,
  answering: Answering<Answer>,
): Promise<Answer | null> {
  try {
    return await withRetry(
      () => tryToWrite(context, parts, answering),
      (error) =>
        isBoardingCodeTaken(error) || (violatedUniqueConstraint(error)?.includes('reference') ?? false),
    );
  } catch (error) {
    if (violatedUniqueConstraint(error)?.includes('hold') !== true) throw error;
    return null;
  }
}

async function tryToWrite<Answer>(
  context: Context,
  parts: OrderParts,
  { present, store }: Answering<Answer>,
): Promise<Answer | null> {
  const { record, capacity } = buildRecord(context, parts);
  const answer = present(record, true);
  const { order, lines, tickets } = record;
  const outcome = await insertOrder(context.db, {
    ...{ order, lines, tickets, capacity },
    fingerprint: parts.sale.fingerprint,
    known: parts.known,
    response: store?.(answer),
  });
  if (outcome === 'not_held') return null;
  if (outcome === 'promo_used_up') throw new ApiError('promo_used_up', { field: 'promo_code' });
  if (order.status === 'confirmed') {
    context.metrics.countCheckout('confirmed');
    wakeMailWorker(context.jobs);
    await reviewSale(context, { orderId: order.id, holdId: order.holdId });
  }
  return answer;
}

/** The record as it will be once it is written. */
function buildRecord(context: Context, parts: OrderParts) {
  const { sale, hold } = parts;
  const held = buildOrder(context, parts);
  const { lines, capacity } = buildLineRows(held.id, sale);
  const record: OrderRecord = {
    order: held,
    hold,
    lines,
    tickets: [],
    payments: [],
    refunds: [],
    tripCardNumbers: new Map(),
    choiceUntil: null,
    openTickets: new Map(),
    legs: findLegs(lines, sale.sailings),
  };
  if (held.total > 0) return { record, capacity };
  const toSell = linesToSell(record);
  const order = confirmedOrder({ order: held, lines: toSell, places: 'held' }, held.insertedAt);
  const tickets = issueTickets(context, { order, lines: toSell });
  const consumed = { ...hold, status: 'consumed' as const };
  return { record: { ...record, order, hold: consumed, tickets }, capacity };
}

function buildOrder(context: Context, { sale, hold, input }: OrderParts): OrderRow {
  const now = context.clock.now();
  return {
    id: newId('ord'),
    reference: createReference((below) => randomInt(below)),
    status: 'held',
    paymentStatus: 'none',
    needsAttention: null,
    notice: '',
    customerId: input.customerId,
    holdId: hold.id,
    contactName: input.contact.name,
    contactEmail: input.contact.email,
    contactPhone: input.contact.phone,
    travelerNames: input.traveler_names ?? [],
    assistance: input.assistance,
    locale: input.locale,
    vehicle: sale.request.vehicle,
    plate: input.plate,
    ...pickSaleColumns(sale),
    paid: 0,
    refunded: 0,
    termsVersion: input.terms_version,
    termsAcceptedAt: now,
    declines: 0,
    confirmedAt: null,
    cancelledAt: null,
    version: 1,
    insertedAt: now,
    updatedAt: now,
  };
}
