import { and, eq, gt, sql } from 'drizzle-orm';
import type { Hold, SoldOutDetails } from '#contract/orders/buy/schemas.ts';
import { swapPlaces, takePlaces } from '#server/capacity/places.ts';
import type { SalePoint } from '#server/capacity/sale-conditions.ts';
import { explainHeldBack, takePlacesFromHeldBack } from '#server/capacity/sell-held-back.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { type HoldRow, holds } from '#server/database/schema/holds.ts';
import type { OrderRow } from '#server/database/schema/sales.ts';
import { inTransaction, violatedUniqueConstraint } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { lockOrderOfHold } from '../confirm-order.ts';
import { closeOpenPayment } from '../pay/open-payments.ts';
import { findOpenPayment } from '../pay/payment-records.ts';
import { canExtend } from '../presenter.ts';
import { isUnpaid } from '../unpaid.ts';
import { findAlternatives } from './alternatives.ts';
import { expireDueHolds, expireHold } from './expire-holds.ts';
import { takeWithinNetworkLimit } from './network-places.ts';
import { rewriteOrder } from './order-lines.ts';
import type { Sale } from './pricing.ts';
import { readQuote, repriceQuote } from './quotes.ts';

const HOLD_MINUTES = 10;
const HOLD_MAX_MINUTES = 20;

type HoldInput = {
  quoteId: string;
  claim: string;
  network: string | null;
  salePoint?: SalePoint;
  payUntil?: Date;
  heldBackIds?: readonly string[];
};

/**
 * Takes the places of a quote for ten minutes.
 * @param input claim: identifies the request; a repeated request gets the same hold, even if its first answer was
 * lost; network: keyed hash of the buyer's network, whose places are limited; null: not limited; salePoint: that of the
 * quote; payUntil: when it expires instead, at a deadline that its buyer cannot extend; heldBackIds: of places held back
 * for the buyer
 * @throws {ApiError} quote_expired, price_changed (with the new quote), sold_out (with alternative sailings),
 * places_held_back, sales_closed, sailing_canceled, rate_limited
 */
export async function takeHold(
  context: Context,
  { quoteId, claim, network, salePoint = 'online', payUntil, heldBackIds = [] }: HoldInput,
): Promise<Hold> {
  const sale = await openQuote(context, quoteId, salePoint);
  const { places } = sale;
  const now = context.clock.now();
  const hold: HoldRow = {
    id: getHoldId(context, claim),
    status: 'active',
    request: sale.request,
    total: sale.priced.total,
    priceFingerprint: sale.fingerprint,
    ...(payUntil ? getDeadlineTimes(payUntil) : getHoldTimes(now)),
    extended: payUntil !== undefined,
    network,
    insertedAt: now,
  };
  const take = () =>
    takeWithinNetworkLimit(context, { network, holdId: hold.id, places, now }, () =>
      heldBackIds.length === 0
        ? takePlaces(context.db, { hold, places, salePoint })
        : takePlacesFromHeldBack(context.db, { hold, places, ids: heldBackIds }),
    );
  try {
    if (!(await take())) {
      await expireDueHolds(
        context,
        sale.sailings.map((sailing) => sailing.id),
      );
      if (!(await take())) {
        // An earlier try of this request may have taken the last places.
        if ((await context.db.$count(holds, eq(holds.id, hold.id))) > 0) return readHold(context, hold.id);
        const heldBack =
          salePoint === 'ramp' ? await explainHeldBack(context.db, { places, ids: heldBackIds }) : null;
        throw heldBack ?? (await soldOut(context, sale, salePoint));
      }
    }
  } catch (error) {
    if (violatedUniqueConstraint(error)?.startsWith('holds') !== true) throw error;
    return readHold(context, hold.id);
  }
  return presentHold(hold, null, now);
}

/** The id of the hold that a request takes, the same for each repetition. */
export function getHoldId({ vault }: Pick<Context, 'vault'>, claim: string): string {
  return newId('hld', Buffer.from(vault.sign('hold', claim), 'base64url').subarray(0, 16));
}

/**
 * Extends a hold, once.
 * @throws {ApiError} not_found, hold_expired, hold_not_extendable
 */
export async function extendHold(context: Context, holdId: string): Promise<Hold> {
  const now = context.clock.now();
  const later = minutesAfter(now, HOLD_MINUTES).toISOString();
  const [extended] = await context.db
    .update(holds)
    .set({ extended: true, expiresAt: sql`least(${holds.expiresAtMax}, ${later}::timestamptz)` })
    .where(
      and(
        eq(holds.id, holdId),
        eq(holds.status, 'active'),
        eq(holds.extended, false),
        gt(holds.expiresAt, now),
      ),
    )
    .returning({ id: holds.id });
  if (!extended) {
    await requireActiveHold(context, holdId);
    throw new ApiError('hold_not_extendable');
  }
  return readHold(context, holdId);
}

/**
 * Replaces the places of a hold by those of another quote, without extending it. An order already written for the
 * hold is updated; an open card payment of the old amount is closed first.
 * @throws {ApiError} as `takeHold`; not_found, hold_expired, payment_in_progress, already_paid
 */
export async function swapHold(
  context: Context,
  { holdId, quoteId }: { holdId: string; quoteId: string },
): Promise<Hold> {
  const { network } = await requireActiveHold(context, holdId);
  const sale = await openQuote(context, quoteId, 'online');
  const orderId = await findOrderId(context.db, holdId);
  if (orderId) await closeOpenPayment(context, orderId);
  const swap = async (tx: Database) => {
    const existingOrder = await lockUnpaidOrder(tx, holdId);
    await lockActiveHold(tx, holdId, context.clock.now());
    // An order may have been written while this waited for the hold's lock; from now on that is impossible.
    const order = existingOrder ?? (await lockUnpaidOrder(tx, holdId));
    // Opened in another tab since the old one was closed: it would charge the old amount for the new party.
    if (order && (await findOpenPayment(tx, order.id))) throw new ApiError('payment_in_progress');
    if (!(await swapPlaces(tx, context, { holdId, places: sale.places }))) return false;
    await tx
      .update(holds)
      .set({
        request: sale.request,
        total: sale.priced.total,
        priceFingerprint: sale.fingerprint,
      })
      .where(eq(holds.id, holdId));
    if (order) await rewriteOrder(tx, context, { order, sale });
    return true;
  };
  const requestedHold = { network, holdId, places: sale.places, now: context.clock.now() };
  const isSwapped = await takeWithinNetworkLimit(context, requestedHold, () =>
    inTransaction(context.db, swap),
  );
  if (!isSwapped) throw await soldOut(context, sale);
  return readHold(context, holdId);
}

/** The current hold. Reading a hold whose time is over expires it. */
export async function readHold(context: Context, holdId: string): Promise<Hold> {
  const hold = await requireHold(context, holdId);
  const now = context.clock.now();
  if (hold.status === 'active' && hold.expiresAt <= now && (await expireHold(context, holdId))) {
    return presentHold({ ...hold, status: 'expired' }, await findOrderId(context.db, holdId), now);
  }
  return presentHold(hold, await findOrderId(context.db, holdId), now);
}

/** @throws {ApiError} not_found */
export async function requireHold({ db }: Pick<Context, 'db'>, holdId: string): Promise<HoldRow> {
  const [hold] = await db.select().from(holds).where(eq(holds.id, holdId));
  if (!hold) throw notFound();
  return hold;
}

/**
 * A hold that is still active.
 * @throws {ApiError} not_found, already_paid, hold_expired
 */
async function requireActiveHold(context: Context, holdId: string): Promise<HoldRow> {
  const hold = await requireHold(context, holdId);
  await requireActive(context, hold);
  return hold;
}

/** @throws {ApiError} already_paid, hold_expired */
export async function requireActive(context: Context, hold: HoldRow): Promise<void> {
  if (hold.status === 'consumed') throw new ApiError('already_paid');
  if (hold.status !== 'active') throw new ApiError('hold_expired');
  if (hold.expiresAt > context.clock.now()) return;
  await expireHold(context, hold.id);
  throw new ApiError('hold_expired');
}

function presentHold(hold: HoldRow, orderId: string | null, now: Date): Hold {
  return {
    id: hold.id,
    status: hold.status,
    expires_at: hold.expiresAt.toISOString(),
    expires_at_max: hold.expiresAtMax.toISOString(),
    can_extend: canExtend(hold),
    order_id: orderId,
    as_of: now.toISOString(),
  };
}

/**
 * The sale of a quote that has not expired, at its current price.
 * @throws {ApiError} invalid_input, quote_expired, price_changed, or the code of the rule that refuses it
 */
async function openQuote(context: Context, quoteId: string, salePoint: SalePoint): Promise<Sale> {
  const offer = readQuote(context, quoteId);
  if ((offer.salePoint ?? 'online') !== salePoint) throw new ApiError('invalid_input', { field: 'quote_id' });
  if (offer.expiresAt <= context.clock.now().getTime()) throw new ApiError('quote_expired');
  return repriceQuote(context, offer);
}

async function soldOut(context: Context, sale: Sale, salePoint?: SalePoint): Promise<ApiError> {
  const { resource, sailingId, alternatives } = await findAlternatives(context, sale, salePoint);
  return new ApiError('sold_out', {
    details: { resource, sailing_id: sailingId, alternatives } satisfies SoldOutDetails,
  });
}

async function lockUnpaidOrder(tx: Database, holdId: string): Promise<OrderRow | undefined> {
  const order = await lockOrderOfHold(tx, holdId);
  if (order && !isUnpaid(order)) throw new ApiError('order_closed');
  return order;
}

async function lockActiveHold(tx: Database, holdId: string, now: Date): Promise<void> {
  const [hold] = await tx.select().from(holds).where(eq(holds.id, holdId)).for('no key update');
  if (hold?.status !== 'active' || hold.expiresAt <= now) throw new ApiError('hold_expired');
}

async function findOrderId(db: Database, holdId: string): Promise<string | null> {
  const [row] = await queryRows<{ id: string }>(db, sql`select id from orders where hold_id = ${holdId}`);
  return row?.id ?? null;
}

/** When a new hold expires, and when at the latest it can be extended to. */
export function getHoldTimes(now: Date): { expiresAt: Date; expiresAtMax: Date } {
  return { expiresAt: minutesAfter(now, HOLD_MINUTES), expiresAtMax: minutesAfter(now, HOLD_MAX_MINUTES) };
}

/** A payment that is started before the deadline may still end after it. */
export function getDeadlineTimes(deadline: Date): { expiresAt: Date; expiresAtMax: Date } {
  return { expiresAt: deadline, expiresAtMax: minutesAfter(deadline, HOLD_MAX_MINUTES - HOLD_MINUTES) };
}

function minutesAfter(instant: Date, minutes: number): Date {
  return new Date(instant.getTime() + minutes * 60_000);
}
