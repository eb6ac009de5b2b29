import { and, eq, isNull, notInArray, sql } from 'drizzle-orm';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import {
  closedMonths,
  moneyEntries,
  type PayoutRow,
  payoutItems,
  payouts,
} from '../database/schema/accounting.ts';
import { feed } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { daysBefore } from '../retention.ts';
import type { ProviderPayout, ProviderPayoutItem } from './provider/payment-provider.ts';

/** How far back the daily job looks for what a webhook missed. */
const MISSED_DAYS = 14;

/** Registers the daily job that fetches payouts whose webhooks were missed. */
export async function registerPayoutJobs(context: Context): Promise<void> {
  await context.jobs.work('fetch-payouts', () => fetchPayouts(context));
  await context.jobs.schedule('fetch-payouts', '20 5 * * *');
}

/**
 * Fetches the payouts of the last days, and those before that are not booked yet; the first time, all since the first card
 * payment. One failure does not stop the rest.
 */
export async function fetchPayouts(context: Context): Promise<void> {
  const since = await findStart(context);
  if (since === null) return;
  const open = await context.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(isNull(payouts.bookedOn), notInArray(payouts.status, ['canceled'])));
  const recent = await context.provider.listPayouts(since);
  const ids = new Set([...open, ...recent].map(({ id }) => id));
  for (const id of ids) {
    try {
      await followPayout(context, id);
    } catch (error) {
      // The next run looks again.
      if (!(error instanceof ApiError)) context.log.error('payout not recorded', describeError(error));
    }
  }
}

/** null: no card was ever charged. */
async function findStart({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<Date | null> {
  if ((await db.$count(payouts)) > 0) return daysBefore(clock.now(), MISSED_DAYS);
  const [first] = await db
    .select({ at: sql<Date | null>`min(${moneyEntries.bookedAt})`.mapWith(moneyEntries.bookedAt) })
    .from(moneyEntries)
    .where(eq(moneyEntries.method, 'card'));
  return first?.at ?? null;
}

/**
 * Records a payout as it is at the provider now. Safe to repeat, and in any order: its state never goes back.
 * @throws {ApiError} payment_unavailable
 */
export async function followPayout(context: Context, payoutId: string): Promise<void> {
  const { db, provider, log } = context;
  const payout = await provider.findPayout(payoutId);
  if (!payout) return log.error('payout unknown to the provider', { payout: payoutId });
  const [stored] = await db.select().from(payouts).where(eq(payouts.id, payoutId));
  const isNewlyListed = payout.isListed && !stored?.listedAt;
  const items = isNewlyListed ? await provider.listPayoutItems(payoutId) : null;
  await inTransaction(db, (tx) => recordPayout(tx, context, { payout, items }));
}

/** @param recorded items: null if they are stored already, or not known yet */
async function recordPayout(
  tx: Database,
  context: Pick<Context, 'clock' | 'log'>,
  { payout, items }: { payout: ProviderPayout; items: readonly ProviderPayoutItem[] | null },
): Promise<void> {
  const now = context.clock.now();
  const { id, isLive, isAutomatic, money, status, createdAt, arrivesOn, failureCode } = payout;
  await tx
    .insert(payouts)
    .values({ ...{ id, isLive, isAutomatic, ...money, status, createdAt, arrivesOn }, updatedAt: now })
    .onConflictDoNothing();
  const [before] = await tx.select().from(payouts).where(eq(payouts.id, id)).for('no key update');
  if (!before) return;
  const listedAt = before.listedAt ?? (items === null ? null : now);
  if (before.listedAt === null && items !== null) await insertItems(tx, id, items);
  const state = isOlder(payout, before) ? {} : { status, arrivesOn, failureCode };
  const after = { ...before, ...state, listedAt, updatedAt: now };
  await tx
    .update(payouts)
    .set({ ...state, ...(await bookPayout(tx, after)), listedAt, updatedAt: now })
    .where(eq(payouts.id, id));
  if (after.status === 'failed' && before.status !== 'failed') {
    context.log.warn('payout failed', { payout: id, failure_code: failureCode });
  }
}

async function insertItems(
  tx: Database,
  payoutId: string,
  items: readonly ProviderPayoutItem[],
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH) {
    await tx.insert(payoutItems).values(
      items.slice(start, start + BATCH).map(({ id, kind, amount, fee, charged, createdAt, ...of }) => ({
        ...{ id, payoutId, kind, amount, fee, createdAt },
        ...{ chargedAmount: charged?.amount ?? null, chargedCurrency: charged?.currency ?? null },
        ...{ intentReference: of.intentId, refundReference: of.refundId },
      })),
    );
  }
}

/** A statement has a limited number of parameters. */
const BATCH = 500;

const PROGRESS = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;

/** Whether a state was read before the stored one. */
function isOlder({ status }: Pick<PayoutRow, 'status'>, stored: PayoutRow): boolean {
  return PROGRESS.indexOf(status) < PROGRESS.indexOf(stored.status);
}

/**
 * The days on which a payout counts and stops counting, once it has arrived or failed and what it consists of is known.
 * What a failed payout consists of counts too: a later payout contains its amount as a whole.
 */
async function bookPayout(
  tx: Database,
  payout: PayoutRow,
): Promise<Partial<Pick<PayoutRow, 'bookedOn' | 'failedOn'>>> {
  const { status, isAutomatic, listedAt, updatedAt, arrivesOn } = payout;
  const isOver = status === 'paid' || status === 'failed';
  if (!isOver || (isAutomatic && listedAt === null)) return {};
  const [zone] = await tx.select({ timeZone: feed.timeZone }).from(feed);
  const today = getLocalDay(updatedAt.getTime(), zone?.timeZone ?? 'UTC');
  const [closed] = await tx
    .select({ month: closedMonths.month })
    .from(closedMonths)
    .where(eq(closedMonths.month, arrivesOn.slice(0, 7)));
  const bookedOn = payout.bookedOn ?? (closed ? today : arrivesOn);
  if (status !== 'failed') return { bookedOn };
  return { bookedOn, failedOn: payout.failedOn ?? (today > bookedOn ? today : bookedOn) };
}
