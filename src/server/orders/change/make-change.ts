import type { ChangeQuote, CreateChange, QuoteChange } from '#contract/orders/change/schemas.ts';
import { splitWaived } from '#domain/changes/settle-difference.ts';
import { listRefundablePayments, splitRefund } from '#domain/refunds/split-refund.ts';
import { swapPlaces } from '#server/capacity/places.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { textsIn } from '#server/core/texts.ts';
import { type Database, writtenRow } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { type OrderChangeRow, type OrderRow, orderChanges } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { reviewSale } from '#server/sailings/exceptions/review-sale.ts';
import { expireDueHolds } from '../buy/expire-holds.ts';
import { getDeadlineTimes, getHoldTimes } from '../buy/holds.ts';
import { presentLine } from '../buy/pricing.ts';
import { presentDestinations } from '../cancel/destinations.ts';
import { isBoardingCodeTaken, lockOrder } from '../confirm-order.ts';
import { explainConflicts } from '../crossings/explain-conflicts.ts';
import { listTicketsOfJourneys } from '../crossings/replace-journeys.ts';
import { type OrderRecord, readStoredOrder, type StoredOrder } from '../queries.ts';
import { abandonOpenChange } from './abandon-change.ts';
import { listAdditionalPlaces } from './additional-places.ts';
import { completeChange } from './complete-change.ts';
import { endChanges } from './end-change.ts';
import { BUYERS_TERMS, type ChangeTerms, type PricedChange, priceChange } from './price-change.ts';

/** Shows what a change costs or gives back, to the buyer unless other terms are given. */
export async function quoteChange(
  context: Context,
  {
    record,
    request,
    terms = BUYERS_TERMS,
    isOwner,
    language,
  }: { record: OrderRecord; request: QuoteChange; terms?: ChangeTerms; isOwner: boolean; language: string },
): Promise<ChangeQuote> {
  const { lines, sums, isPromoLost } = await priceChange(context, { sold: record, request, terms });
  const { currency } = record.order;
  const t = textsIn(language);
  const left = listRefundablePayments(record.payments, record.refunds);
  const parts = splitRefund(Math.max(0, -sums.difference), left, currency);
  return {
    version: record.order.version,
    lines: lines.map((line) => presentLine(t, record.names.translateLine(line, language))),
    ...sums,
    currency,
    destinations: presentDestinations(record, { parts, isOwner }),
    needs_code: record.order.customerId === null,
    notes: [
      ...(isPromoLost
        ? [t('Promo code {code} no longer applies.', { code: record.order.promoCode ?? '' })]
        : []),
      ...(sums.waived > 0 ? [t('The difference is too small to charge, so nothing is due.')] : []),
    ],
  };
}

type ChangeInput = Pick<CreateChange, 'version' | 'difference'> & {
  record: OrderRecord;
  request: QuoteChange;
  actor: OrderChangeRow['actor'];
  /** Uses up the proof that the caller may change the order. */
  prove: (tx: Database, order: OrderRow) => Promise<void>;
  byStaff?: ChangeByStaff;
};

/**
 * A change that staff make for the buyer.
 * `reason`: why it is made beyond the fare's rules, without a fee; null: by the rules
 * `payUntil`: until when the buyer has to pay a positive difference; null: staff take it
 * `settle`: takes it or mails the link, and records the change. The transaction has changed the order, unless the buyer
 * has to pay first.
 */
type ChangeByStaff = {
  reason: string | null;
  payUntil: Date | null;
  settle: (tx: Database, change: OrderChangeRow) => Promise<void>;
};

/**
 * Changes an order as quoted. If a difference is to be paid, its places are held and the order stays as it is until then;
 * otherwise, and if staff take the difference in person, it is changed at once. Another change of the order that is not paid is abandoned.
 * @throws {ApiError} version_conflict if the order or the difference has changed since; sold_out; the refusals of
 * `priceChange`; already_paid or payment_in_progress for the other change
 */
export async function makeChange(context: Context, input: ChangeInput): Promise<OrderChangeRow> {
  const { record, request, version, difference, byStaff } = input;
  const priced = await priceChange(context, {
    sold: record,
    request,
    terms: byStaff ? { isFree: byStaff.reason !== null, salePoint: 'ramp' } : BUYERS_TERMS,
  });
  if (record.order.version !== version || priced.sums.difference !== difference) {
    throw new ApiError('version_conflict');
  }
  await abandonOpenChange(context, record.order.id);
  const make = () =>
    inTransaction(
      context.db,
      (tx) => makeInTransaction(tx, context, { ...input, priced }),
      isBoardingCodeTaken,
    );
  const made = await explainConflicts(
    () => withExpiredHolds(context, { request, make }),
    'card_gone_at_change',
  );
  wakeMailWorker(context.jobs);
  if (made.change.status === 'done') {
    await reviewSale(context, { orderId: record.order.id, holdId: null });
  }
  for (const id of made.requested) await context.jobs.send('refund', { refund_id: id });
  return made.change;
}

type Made = { change: OrderChangeRow; requested: string[] };

/** Tries again after the places of expired holds are on sale again. */
async function withExpiredHolds(
  context: Context,
  { request, make }: { request: QuoteChange; make: () => Promise<Made> },
): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'sold_out') throw error;
    await expireDueHolds(
      context,
      request.journeys.flatMap(({ sailing_ids: ids }) => ids),
    );
    return make();
  }
}

async function makeInTransaction(
  tx: Database,
  context: Context,
  { record, request, version, actor, prove, byStaff, priced }: ChangeInput & { priced: PricedChange },
): Promise<Made> {
  const now = context.clock.now();
  const order = await lockOrder(tx, record.order.id);
  if (!order) throw notFound();
  if (order.version !== version) throw new ApiError('version_conflict');
  await prove(tx, order);
  // Another tab may have made one since.
  await endChanges(tx, context, order.id);
  const sold = await readStoredOrder(tx, order);
  const { sums, cancellationFee, travelerNames } = priced;
  const lines = [...priced.lines, ...priced.waivedLines];
  const journeys = request.journeys.map(({ direction }) => direction);
  const times = byStaff?.payUntil ? getDeadlineTimes(byStaff.payUntil) : getHoldTimes(now);
  const isPaidLater = sums.difference > 0 && (byStaff === undefined || byStaff.payUntil !== null);
  const holdId = isPaidLater
    ? await holdPlaces(tx, context, { sold, change: { journeys, lines }, times })
    : null;
  const inserted = await tx
    .insert(orderChanges)
    .values({
      ...{
        id: newId('chg'),
        orderId: order.id,
        actor,
        status: 'held',
        holdId,
        journeys,
        lines,
        travelerNames,
      },
      ticketIds: listTicketsOfJourneys(sold, journeys).map(({ id }) => id),
      ...{
        fee: splitWaived(sums).fee,
        cancellationFee,
        difference: sums.difference,
        insertedAt: now,
        updatedAt: now,
      },
    })
    .returning();
  const change = writtenRow(inserted);
  if (holdId !== null) {
    await byStaff?.settle(tx, change);
    return { change, requested: [] };
  }
  const refunds = await completeChange(tx, context, { sold, change, note: byStaff?.reason ?? null });
  if (!refunds) throw new ApiError('sold_out');
  await byStaff?.settle(tx, change);
  const requested = refunds.filter(({ status }) => status === 'requested').map(({ id }) => id);
  return { change: { ...change, status: 'done' }, requested };
}

/**
 * Holds the additional places of a change until its difference is paid.
 * @returns the id of the hold
 * @throws {ApiError} sold_out
 */
async function holdPlaces(
  tx: Database,
  context: Context,
  {
    sold,
    change,
    times,
  }: {
    sold: StoredOrder;
    change: Pick<OrderChangeRow, 'journeys' | 'lines'>;
    times: ReturnType<typeof getHoldTimes>;
  },
): Promise<string> {
  const holdId = newId('hld');
  await tx.insert(holds).values({
    id: holdId,
    status: 'active',
    request: { legs: [], passengers: [], vehicle: null, bicycles: 0, fare_class: '', promo_code: null },
    total: 0,
    priceFingerprint: '',
    ...times,
    insertedAt: context.clock.now(),
  });
  const places = await listAdditionalPlaces(tx, { sold, change });
  if (places.length === 0 || (await swapPlaces(tx, context, { holdId, places }))) return holdId;
  throw new ApiError('sold_out');
}
