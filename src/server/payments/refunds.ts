import { and, eq, ne, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { askProvider } from '../card-provider/provider.ts';
import { isSameMoney, toProviderMoney } from '../card-provider/provider-amounts.ts';
import type { Database } from '../database/database.ts';
import { type OrderRow, orders, payments, type RefundRow, refunds } from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { lockOrder } from '../orders/confirm-order.ts';

/** A bank that did not take the money is asked three times over two days; then people have to find another way. */
const MAX_TRIES = 3;
const RETRY_MS = 24 * 3_600_000;

/** Sends a refund to the provider, or looks how it stands there. Safe to repeat: each try is a key of the provider's. */
export async function processRefund(deps: Deps, refundId: string): Promise<void> {
  const [found] = await deps.db
    .select({ refund: refunds, currency: payments.currency, intent: payments.providerReference })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(eq(refunds.id, refundId));
  if (!found || found.intent === null) return;
  const { refund, currency, intent } = found;
  if (refund.status === 'succeeded' || refund.status === 'failed') return;
  if (refund.tryAt !== null && refund.tryAt > deps.clock.now()) return;
  const { providerReference: reference } = refund;
  const truth = await askProvider(deps, () =>
    reference === null
      ? askForRefund(deps, { ...refund, currency }, intent)
      : deps.stripe.refunds.retrieve(reference),
  );
  const told = truth ?? { id: refusalOf(refund), status: 'failed' };
  await inTransaction(deps.db, (tx) => takeOver(tx, deps, refund, told));
}

/**
 * Turns the provider's truth about a refund into ours, in the caller's transaction. Money counts as given
 * back once, when the refund succeeds, and no longer should it fail after that.
 */
export async function applyRefund(tx: Database, deps: Deps, truth: Stripe.Refund): Promise<void> {
  const isFailedTry = sql`${refunds.failedReferences} @> to_jsonb(${truth.id}::text)`;
  const [known] = await tx
    .select({ id: refunds.id, orderId: refunds.orderId, isOld: sql<boolean>`${isFailedTry}` })
    .from(refunds)
    .where(
      sql`${refunds.providerReference} = ${truth.id} or ${isFailedTry}
        or (${refunds.providerReference} is null and ${refunds.id} = ${truth.metadata?.refund_id ?? ''})`,
    );
  if (!known) deps.log.error('refund made outside of the ticket office', { refund: truth.id });
  else if (!known.isOld) await takeOver(tx, deps, known, truth);
}

/** What of an order's money was given back; a payment that never counted as paid takes nothing off. */
export async function sumGivenBack(
  tx: Database,
  { id, paid }: Pick<OrderRow, 'id' | 'paid'>,
): Promise<number> {
  const [given] = await tx
    .select({ sum: sql`coalesce(sum(${refunds.amount}), 0)`.mapWith(Number) })
    .from(refunds)
    .where(and(eq(refunds.orderId, id), eq(refunds.status, 'succeeded'), ne(refunds.reason, 'duplicate')));
  return Math.min(paid, given?.sum ?? 0);
}

/** How a paid order's money stands, by what was given back of it. */
export function paidStatus({
  paid,
  refunded,
}: {
  paid: number;
  refunded: number;
}): 'paid' | 'partly_refunded' | 'refunded' {
  if (refunded === 0) return 'paid';
  return refunded < paid ? 'partly_refunded' : 'refunded';
}

/** Ids of a payment's refunds whose end is not known. */
export async function findOpenRefunds(db: Database, intent: string): Promise<string[]> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(
      and(
        eq(payments.providerReference, intent),
        ne(refunds.status, 'succeeded'),
        ne(refunds.status, 'failed'),
      ),
    );
  return rows.map(({ id }) => id);
}

/**
 * The refund's next try at the provider: one that was asked for before and whose answer got lost, or a new one.
 * @returns null when the provider refuses it
 */
async function askForRefund(
  deps: Deps,
  refund: RefundRow & { currency: string },
  intent: string,
): Promise<Stripe.Refund | null> {
  const { id, orderId, failedReferences: failed } = refund;
  const isAsked = (each: Stripe.Refund) => each.metadata?.refund_id === id && !failed.includes(each.id);
  const { amount } = toProviderMoney(refund);
  // The provider forgets its keys after a day; what it did under them stays.
  const asked = await findRefund(deps, intent, isAsked);
  if (asked) return asked;
  try {
    return await deps.stripe.refunds.create(
      { payment_intent: intent, amount, metadata: { refund_id: id, order_id: orderId } },
      { idempotencyKey: failed.length === 0 ? `refund:${id}` : `refund:${id}:${failed.length}` },
    );
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // Another process was faster, or somebody by hand at the provider's own desk: the money is on its way.
    const isByHand = (each: Stripe.Refund) =>
      each.metadata?.refund_id === undefined && isSameMoney(each, refund) && !isFailure(each.status);
    return (await findRefund(deps, intent, isAsked)) ?? (await findRefund(deps, intent, isByHand));
  }
}

async function findRefund(
  { stripe }: Pick<Deps, 'stripe'>,
  intent: string,
  isIt: (refund: Stripe.Refund) => boolean,
): Promise<Stripe.Refund | null> {
  const { data } = await stripe.refunds.list({ payment_intent: intent, limit: 100 });
  return data.find(isIt) ?? null;
}

/** Writes what is told of one try of a refund, and what follows for its order. */
async function takeOver(
  tx: Database,
  deps: Deps,
  { id, orderId }: Pick<RefundRow, 'id' | 'orderId'>,
  told: Pick<Stripe.Refund, 'id' | 'status'>,
): Promise<void> {
  const order = await lockOrder(tx, orderId);
  const [refund] = await tx.select().from(refunds).where(eq(refunds.id, id)).for('no key update');
  if (!order || !refund || isOutdated(refund, told.id)) return;
  const now = deps.clock.now();
  const next = nextState(refund, told, now);
  await tx
    .update(refunds)
    .set({ ...next, updatedAt: now })
    .where(eq(refunds.id, id));
  const isGivenUp = next.status === 'failed' && refund.status !== 'failed';
  if (isGivenUp)
    deps.log.error('refund failed; pay it back by hand', { refund_id: id, reference: order.reference });
  const refunded = await sumGivenBack(tx, order);
  if (refunded === order.refunded && !isGivenUp) return;
  await tx
    .update(orders)
    .set({
      ...(refunded === order.refunded
        ? {}
        : { refunded, paymentStatus: paidStatus({ paid: order.paid, refunded }) }),
      ...(isGivenUp ? { notice: GIVEN_UP } : {}),
      version: order.version + 1,
      updatedAt: now,
    })
    .where(eq(orders.id, orderId));
  if (isGivenUp) await queueOrderMail(tx, deps, 'order-refund-failed', orderId);
}

/** A try that ended before, or a refusal while another process got the refund through. */
function isOutdated(refund: RefundRow, toldId: string): boolean {
  if (refund.failedReferences.includes(toldId)) return true;
  const isRefusal = toldId.startsWith(REFUSED);
  return isRefusal && (refund.providerReference !== null || toldId !== refusalOf(refund));
}

const REFUSED = 'refused:';

/** What stands for a try that the provider has no name for. */
function refusalOf({ failedReferences }: Pick<RefundRow, 'failedReferences'>): string {
  return `${REFUSED}${failedReferences.length + 1}`;
}

const GIVEN_UP =
  'Your card’s bank did not accept the refund. Please call us, and we will send it another way.';

type RefundState = Pick<RefundRow, 'status'> &
  Partial<Pick<RefundRow, 'providerReference' | 'failedReferences' | 'tryAt'>>;

/** What is over stays over, except that a bank may still send a finished refund back. */
function nextState(
  { status, failedReferences: failed }: RefundRow,
  told: Pick<Stripe.Refund, 'id' | 'status'>,
  now: Date,
): RefundState {
  if (status === 'failed') return { status };
  if (isFailure(told.status)) {
    const failedReferences = [...failed, told.id];
    return failedReferences.length < MAX_TRIES
      ? {
          status: 'requested',
          providerReference: null,
          failedReferences,
          tryAt: new Date(now.getTime() + RETRY_MS),
        }
      : { status: 'failed', failedReferences, tryAt: null };
  }
  const isOver = status === 'succeeded' || told.status === 'succeeded';
  return { status: isOver ? 'succeeded' : 'pending', providerReference: told.id, tryAt: null };
}

function isFailure(status: string | null): boolean {
  return status === 'failed' || status === 'canceled';
}
