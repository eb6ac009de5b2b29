import { randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { CreateOrder } from '#contract/orders/buy/schemas.ts';
import { createReference } from '#domain/orders/reference.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { type HoldRow, holds } from '#server/database/schema/holds.ts';
import { lineCapacity, type OrderRow, orderLines, orders } from '#server/database/schema/sales.ts';
import { inTransaction, violatedUniqueConstraint } from '#server/database/transactions.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { reviewSale } from '#server/sailings/exceptions/review-sale.ts';
import { isBoardingCodeTaken } from '../confirm-order.ts';
import { redeemPromo } from '../promo.ts';
import { findLegs, type OrderRecord } from '../queries.ts';
import { linesToSell, sellOrder } from '../sell-order.ts';
import { buildLineRows, pickSaleColumns } from './order-lines.ts';
import type { Sale } from './pricing.ts';

/** What a signed-in customer, a visitor or staff sent. `soldBy`: the staff member who sells; absent: online. */
export type NewOrder = CreateOrder & { customerId: string | null; soldBy?: string };
/** With the assistance as it is stored. */
export type OrderInput = Omit<NewOrder, 'assistance' | 'locale'> & Pick<OrderRow, 'assistance' | 'locale'>;
type OrderParts = { sale: Sale; hold: HoldRow; input: OrderInput };

/**
 * Writes the order of a hold with its lines and counts the use of its promo code, in one transaction. In the same
 * transaction, an order that costs nothing consumes its hold, sells its places, issues its tickets and queues its mail.
 * @returns null if the hold has ended, has another price or already has an order
 * @throws {ApiError} promo_used_up
 */
export async function writeOrder(context: Context, parts: OrderParts): Promise<OrderRecord | null> {
  const record = await tryToWrite(context, parts);
  if (record?.order.status === 'confirmed') {
    context.metrics.countCheckout('confirmed');
    wakeMailWorker(context.jobs);
    await reviewSale(context, { orderId: record.order.id, holdId: record.hold.id });
  }
  return record;
}

async function tryToWrite(context: Context, parts: OrderParts): Promise<OrderRecord | null> {
  try {
    return await inTransaction(
      context.db,
      (tx) => insertOrder(tx, context, parts),
      (error) =>
        isBoardingCodeTaken(error) || (violatedUniqueConstraint(error)?.includes('reference') ?? false),
    );
  } catch (error) {
    if (violatedUniqueConstraint(error)?.includes('hold') !== true) throw error;
    return null;
  }
}

/** Locks the hold, then the places that are sold, then the promo code. */
async function insertOrder(tx: Database, context: Context, parts: OrderParts): Promise<OrderRecord | null> {
  const { sale } = parts;
  const hold = await lockHold(tx, context, parts);
  if (!hold) return null;
  const order = buildOrder(context, parts);
  const { lines, capacity } = buildLineRows(order.id, sale);
  const newOrder = tx.$with('new_order').as(tx.insert(orders).values(order));
  const newLines = tx.$with('new_lines').as(tx.insert(orderLines).values(lines));
  await tx.with(newOrder, newLines).insert(lineCapacity).values(capacity);
  const record: OrderRecord = {
    order,
    hold,
    lines,
    tickets: [],
    payments: [],
    refunds: [],
    feesKept: 0,
    tripCardNumbers: new Map(),
    names: sale.names,
    choiceUntil: null,
    changeToPayUntil: null,
    openTickets: new Map(),
    legs: findLegs(lines, sale.sailings),
  };
  if (order.total > 0) {
    await redeemPromo(tx, order.promoCode);
    return record;
  }
  const sold = await sellOrder(tx, context, {
    order,
    lines: linesToSell(record),
    places: 'held',
    redeems: order.promoCode,
  });
  return sold ? { ...record, ...sold, hold: { ...hold, status: 'consumed' } } : record;
}

/** The hold as it is now, if it is still for this sale. */
async function lockHold(
  tx: Database,
  { clock }: Context,
  { hold: { id }, sale }: OrderParts,
): Promise<HoldRow | null> {
  const [hold] = await tx.select().from(holds).where(eq(holds.id, id)).for('no key update');
  if (hold?.status !== 'active' || hold.expiresAt <= clock.now()) return null;
  if (hold.priceFingerprint !== sale.fingerprint) return null;
  return hold;
}

function buildOrder(context: Context, { sale, hold, input }: OrderParts): OrderRow {
  const now = context.clock.now();
  return {
    id: newId('ord'),
    reference: createReference((below) => randomInt(below)),
    status: 'held',
    paymentStatus: 'none',
    needsAttention: null,
    notice: null,
    writtenNotice: '',
    customerId: input.customerId,
    soldBy: input.soldBy ?? null,
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
    canceledAt: null,
    version: 1,
    insertedAt: now,
    updatedAt: now,
  };
}
