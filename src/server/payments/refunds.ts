import { and, eq, ne, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { payments, type RefundRow, refunds } from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import type { ProviderRefund } from './provider/payment-provider.ts';
import { isSameMoney } from './provider/provider-amounts.ts';
import type { RefundSubject } from './subjects.ts';

/** Attempts over two days; after that people have to find another way. */
const MAX_TRIES = 3;
const RETRY_MS = 24 * 3_600_000;

/** Sends a refund to the provider, or reads how it stands there. Safe to repeat: each attempt has its own key. */
export async function processRefund(
  context: Context,
  { subject, refundId }: { subject: RefundSubject; refundId: string },
): Promise<void> {
  const [match] = await context.db
    .select({ refund: refunds, currency: payments.currency, intentId: payments.providerReference })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(eq(refunds.id, refundId));
  if (!match || match.intentId === null) return;
  const { refund, currency, intentId } = match;
  if (refund.status === 'succeeded' || refund.status === 'failed') return;
  if (refund.tryAt !== null && refund.tryAt > context.clock.now()) return;
  const current =
    refund.providerReference === null
      ? await requestRefund(context, { refund: { ...refund, currency }, intentId })
      : await context.provider.fetchRefund(refund.providerReference);
  const reported = current ?? { id: describeRefusal(refund), status: 'failed' };
  await inTransaction(context.db, (tx) => writeReported(tx, context, { subject, refundId, reported }));
}

/**
 * Applies the provider's state of a refund in the caller's transaction. Money counts as refunded once, when the
 * refund succeeds, and no longer if it fails after that.
 */
export async function applyRefund(
  tx: Database,
  context: Context,
  { subject, reported }: { subject: RefundSubject; reported: ProviderRefund },
): Promise<void> {
  const isFailedTry = sql`${refunds.failedReferences} @> to_jsonb(${reported.id}::text)`;
  const [match] = await tx
    .select({ id: refunds.id, isOld: sql<boolean>`${isFailedTry}` })
    .from(refunds)
    .where(
      sql`${refunds.providerReference} = ${reported.id} or ${isFailedTry}
        or (${refunds.providerReference} is null and ${refunds.id} = ${reported.refundId ?? ''})`,
    );
  if (!match) reportUnknownRefund(context, reported);
  else if (!match.isOld) await writeReported(tx, context, { subject, refundId: match.id, reported });
}

function reportUnknownRefund({ log }: Pick<Context, 'log'>, reported: ProviderRefund): void {
  const { id, status, isOfUnknownPayment } = reported;
  if (!isOfUnknownPayment) log.error('refund made outside of the ticket office', { refund: id });
  else if (status === 'failed') log.error('refund of an unknown payment failed', { refund: id });
}

/** Ids of a payment's refunds whose end is unknown. */
export async function findOpenRefunds(db: Database, intentId: string): Promise<string[]> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(
      and(
        eq(payments.providerReference, intentId),
        ne(refunds.status, 'succeeded'),
        ne(refunds.status, 'failed'),
      ),
    );
  return rows.map(({ id }) => id);
}

/**
 * The refund's next attempt at the provider: a new one, or an earlier one whose answer was lost.
 * @returns null if the provider refuses it
 */
async function requestRefund(
  { provider }: Pick<Context, 'provider'>,
  { refund, intentId }: { refund: RefundRow & { currency: string }; intentId: string },
): Promise<ProviderRefund | null> {
  const { id, orderId, failedReferences: failed } = refund;
  const isOurs = (each: ProviderRefund) => each.refundId === id && !failed.includes(each.id);
  // The provider forgets idempotency keys after a day, but not what was created under them.
  const earlier = (await provider.listRefunds(intentId)).find(isOurs);
  if (earlier) return earlier;
  const created = await provider.createRefund({
    intentId,
    money: refund,
    metadata: { refund_id: id, order_id: orderId },
    idempotencyKey: failed.length === 0 ? `refund:${id}` : `refund:${id}:${failed.length}`,
  });
  if (created) return created;
  // Refused, because another process or a person at the provider's dashboard has refunded it already.
  const existing = await provider.listRefunds(intentId);
  const isByHand = (each: ProviderRefund) =>
    each.refundId === null && isSameMoney(each.money, refund) && each.status !== 'failed';
  return existing.find(isOurs) ?? existing.find(isByHand) ?? null;
}

/** Writes the reported state of one attempt of a refund. */
async function writeReported(
  tx: Database,
  context: Context,
  { subject, refundId, reported }: { subject: RefundSubject; refundId: string; reported: Reported },
): Promise<void> {
  const locked = await subject.lock(tx, context, refundId);
  if (!locked || isOutdated(locked.refund, reported.id)) return;
  const { refund } = locked;
  const now = context.clock.now();
  const next = nextState(refund, reported, now);
  await tx
    .update(refunds)
    .set({ ...next, updatedAt: now })
    .where(eq(refunds.id, refundId));
  await locked.applyChange(next.status === 'failed' && refund.status !== 'failed');
}

type Reported = Pick<ProviderRefund, 'id' | 'status'>;

/** An attempt that ended before, or a refusal while another process got the refund through. */
function isOutdated(refund: RefundRow, reportedId: string): boolean {
  if (refund.failedReferences.includes(reportedId)) return true;
  const isRefusal = reportedId.startsWith(REFUSED);
  return isRefusal && (refund.providerReference !== null || reportedId !== describeRefusal(refund));
}

const REFUSED = 'refused:';

/** Stands for a refused attempt, for which the provider has no id. */
function describeRefusal({ failedReferences }: Pick<RefundRow, 'failedReferences'>): string {
  return `${REFUSED}${failedReferences.length + 1}`;
}

type RefundState = Pick<RefundRow, 'status'> &
  Partial<Pick<RefundRow, 'providerReference' | 'failedReferences' | 'tryAt'>>;

/** The status of a finished refund is final, except that a bank may still return a refund that succeeded. */
function nextState(
  { status, failedReferences: failed }: RefundRow,
  reported: Reported,
  now: Date,
): RefundState {
  if (status === 'failed') return { status };
  if (reported.status === 'failed') {
    const failedReferences = [...failed, reported.id];
    const tryAt = new Date(now.getTime() + RETRY_MS);
    return failedReferences.length < MAX_TRIES
      ? { status: 'requested', providerReference: null, failedReferences, tryAt }
      : { status: 'failed', failedReferences, tryAt: null };
  }
  const isOver = status === 'succeeded' || reported.status === 'succeeded';
  return { status: isOver ? 'succeeded' : 'pending', providerReference: reported.id, tryAt: null };
}
