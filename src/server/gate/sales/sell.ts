import { isDeepStrictEqual } from 'node:util';
import { and, eq, inArray, or } from 'drizzle-orm';
import type { HeldBack } from '#contract/desk/held-back/schemas.ts';
import type { RampSale } from '#contract/gate/sales/schemas.ts';
import type { Quote } from '#contract/orders/buy/schemas.ts';
import { listHeldBackPlaces, presentHeldBack } from '#server/capacity/held-back.ts';
import { recordHeldBackSales, takeFromHeldBack } from '#server/capacity/sell-held-back.ts';
import type { Context } from '#server/context.ts';
import { queueEntries } from '#server/database/schema/gate.ts';
import { type OrderRow, orders } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { createOrder } from '#server/orders/buy/create-order.ts';
import { releaseHold } from '#server/orders/buy/expire-holds.ts';
import { getHoldId, takeHold } from '#server/orders/buy/holds.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import { normalizeRequest } from '#server/orders/buy/pricing.ts';
import { createQuote, readQuote } from '#server/orders/buy/quotes.ts';
import type { NewOrder } from '#server/orders/buy/write-order.ts';
import { type Cashier, readStaffPayment, type StaffPayment } from '#server/orders/pay/pay-by-staff.ts';
import { type OrderRecord, requireOrder } from '#server/orders/queries.ts';
import { findTimetable, loadCatalogue } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { type QueueEntryRow, WAITING } from '../queue/leave-behind.ts';
import { isReturn } from './list-returns.ts';

/**
 * Prices the tickets of a waiting party, in each fare that covers it, the cheapest first, and lists what is held back on
 * its sailings.
 * @param input returnId: the sailing by which it returns; null: one way
 * @throws {ApiError} not_found, sailing_not_boarding, or why no fare covers it
 */
export async function quoteEntry(
  context: Context,
  { entryId, returnId, language }: { entryId: string; returnId: string | null; language: string },
): Promise<{ quotes: Quote[]; heldBack: HeldBack[]; heldBackReturn: HeldBack[] }> {
  const [entry] = await context.db.select().from(queueEntries).where(eq(queueEntries.id, entryId));
  if (!entry) throw notFound();
  if (returnId !== null) await requireReturn(context, { outward: entry.sailingId, back: returnId });
  const { fareClasses } = await loadCatalogue(context.db);
  const quotes: Quote[] = [];
  let refusal: ApiError = new ApiError('no_fare');
  for (const { code } of fareClasses) {
    try {
      quotes.push(await createQuote(context, buildRequest(entry, code, returnId), language, 'ramp'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusal = error;
    }
  }
  if (quotes.length === 0) throw refusal;
  return {
    quotes: quotes.toSorted((a, b) => a.total - b.total),
    heldBack: await listHeldBack(context, entry.sailingId),
    heldBackReturn: returnId === null ? [] : await listHeldBack(context, returnId),
  };
}

type Input = {
  entryId: string;
  sale: RampSale;
  /** Identifies the request; a repeated one continues the same sale. */
  claim: string;
  cashier: Cashier;
  language: string;
};

/**
 * Sells a waiting party its tickets: the same hold and order as of every sale, until the boat departs, with the payment
 * that staff take. If it fails, the places are free again and the party waits in its turn.
 * @throws {ApiError} not_found, also of a party that another person serves; quote_expired, price_changed, sold_out,
 * places_held_back, sailing_not_boarding, plate_required; of a trip card as `payOrderByStaff`
 */
export async function sellToEntry(
  context: Context,
  { entryId, sale, claim, cashier, language }: Input,
): Promise<OrderRecord> {
  const { feed } = await loadCatalogue(context.db);
  const payment = await readStaffPayment(context.db, sale.payment, feed.currency);
  return serveEntry(context, { entryId, claim, quoteId: sale.quote_id, plate: sale.plate }, (entry, plate) =>
    sellAtRamp(context, {
      ...{ quoteId: sale.quote_id, claim, cashier, language, plate },
      contact: { name: entry.label, email: sale.email ?? '', phone: entry.phone },
      heldBackIds: sale.held_back,
      findPayment: async () => payment,
    }),
  );
}

/**
 * Takes a party out of the queue while it is sold what a quote offers. If that fails, it waits in its turn.
 * @throws {ApiError} not_found, also of a party that another person serves; invalid_input for a quote of another party
 */
export async function serveEntry<Result>(
  context: Context,
  {
    entryId,
    claim,
    quoteId,
    plate,
  }: Pick<Input, 'entryId' | 'claim'> & {
    quoteId: string;
    /** Of the vehicle; absent: as noted in the queue. */
    plate: string | undefined;
  },
  serve: (entry: QueueEntryRow, plate: string | null) => Promise<Result>,
): Promise<Result> {
  const entry = await claimEntry(context, { entryId, claim });
  try {
    const { request } = readQuote(context, quoteId);
    if (
      !isDeepStrictEqual(
        request,
        normalizeRequest(buildRequest(entry, request.fare_class, request.legs[1]?.sailing_id ?? null)),
      )
    ) {
      throw new ApiError('invalid_input', { field: 'quote_id', reason: 'price_of_another_trip' });
    }
    return await serve(entry, request.vehicle === null ? null : (plate ?? entry.plate));
  } catch (error) {
    if (error instanceof ApiError) {
      await context.db
        .update(queueEntries)
        .set({ status: 'called', sale: null, updatedAt: context.clock.now() })
        .where(and(eq(queueEntries.id, entryId), eq(queueEntries.sale, claim)));
    }
    throw error;
  }
}

type RampOrder = Pick<Input, 'claim' | 'cashier' | 'language'> & {
  quoteId: string;
  contact: NewOrder['contact'];
  plate: string | null;
  /** The deadline of a buyer who pays later. */
  payUntil?: Date;
  /** Of places held back for the buyer. */
  heldBackIds?: readonly string[];
};

type RampPurchase = RampOrder & {
  /** Called once the order is written, unless it costs nothing. */
  findPayment: (order: OrderRow) => Promise<StaffPayment>;
};

/**
 * Sells what a quote for the ramp offers, paid to staff. If it fails, the places are free again.
 * @throws {ApiError} as `orderAtRamp` and `payOrderByStaff`
 */
export function sellAtRamp(
  context: Context,
  { findPayment, ...purchase }: RampPurchase,
): Promise<OrderRecord> {
  const { cashier, heldBackIds } = purchase;
  return orderAtRamp(context, purchase, async (order) => {
    const payment = await findPayment(order);
    await payOrderByStaff(context, {
      orderId: order.id,
      payment,
      cashier,
      ...(heldBackIds && { heldBackIds }),
    });
  });
}

/**
 * Holds and orders what a quote for the ramp offers. If it fails, the places are free again.
 * @param finish called once the order is written, unless it costs nothing
 * @throws {ApiError} as `takeHold` and `createOrder`
 */
export async function orderAtRamp(
  context: Context,
  { quoteId, claim, cashier, language, contact, plate, payUntil, heldBackIds = [] }: RampOrder,
  finish: (order: OrderRow) => Promise<void>,
): Promise<OrderRecord> {
  let holdId: string | null = null;
  try {
    const hold = await takeHold(context, {
      ...{ quoteId, claim, network: null, salePoint: 'ramp', heldBackIds },
      ...(payUntil && { payUntil }),
    });
    holdId = hold.id;
    const { terms } = await loadWebSettings(context);
    const { record, isPurchase } = await createOrder(context, {
      ...{ hold_id: hold.id, quote_id: quoteId, terms_version: terms.version, locale: language },
      ...{ contact, plate, customerId: null, soldBy: cashier.staffId },
    });
    if (record.order.status === 'confirmed') {
      if (isPurchase) await takeHeldBack(context, { ids: heldBackIds, holdId: hold.id, actor: cashier });
      return record;
    }
    await finish(record.order);
    return await requireOrder(context, record.order.id);
  } catch (error) {
    if (error instanceof ApiError && holdId !== null) await releaseHold(context, holdId);
    throw error;
  }
}

/** Takes what an order without a price has from what was held back for its buyer. */
async function takeHeldBack(
  context: Context,
  { actor, ...sale }: { ids: readonly string[]; holdId: string; actor: Cashier },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await recordHeldBackSales(tx, context, { sales: await takeFromHeldBack(tx, sale), actor });
  });
}

/** @throws {ApiError} not_found; invalid_input if it does not lead back */
async function requireReturn(
  { db }: Pick<Context, 'db'>,
  { outward, back }: { outward: string; back: string },
): Promise<void> {
  const boats = await findTimetable(db, [outward, back]);
  const [first, second] = [outward, back].map((id) => boats.find((boat) => boat.id === id));
  if (!first || !second) throw notFound();
  if (!isReturn(second.route, first.route))
    throw new ApiError('invalid_input', { field: 'return_sailing_id' });
}

async function listHeldBack({ db }: Pick<Context, 'db'>, sailingId: string): Promise<HeldBack[]> {
  const rows = await listHeldBackPlaces(db, { sailingIds: [sailingId] });
  return rows.filter((row) => row.sailingId === sailingId).map(presentHeldBack);
}

/** The order that an earlier try of a request sold; null: it sold none. */
export async function findSold(context: Context, claim: string): Promise<OrderRecord | null> {
  const isSold = and(eq(orders.holdId, getHoldId(context, claim)), eq(orders.status, 'confirmed'));
  const [order] = await context.db.select({ id: orders.id }).from(orders).where(isSold);
  return order ? requireOrder(context, order.id) : null;
}

/** Marks the party as served, so that only one person sells it tickets. */
async function claimEntry(
  { db, clock }: Context,
  { entryId, claim }: { entryId: string; claim: string },
): Promise<QueueEntryRow> {
  const [entry] = await db
    .update(queueEntries)
    .set({ status: 'served', sale: claim, updatedAt: clock.now() })
    .where(
      and(
        eq(queueEntries.id, entryId),
        or(inArray(queueEntries.status, [...WAITING]), eq(queueEntries.sale, claim)),
      ),
    )
    .returning();
  if (!entry) throw notFound();
  return entry;
}

function buildRequest({ sailingId, party }: QueueEntryRow, fareClass: string, returnId: string | null) {
  return {
    legs: [{ sailing_id: sailingId }, ...(returnId === null ? [] : [{ sailing_id: returnId }])],
    passengers: [...party.passengers],
    ...{ vehicle: party.vehicle, bicycles: party.bicycles },
    ...{ fare_class: fareClass, promo_code: null },
  };
}
