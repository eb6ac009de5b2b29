import { and, desc, eq, lt, max } from 'drizzle-orm';
import type { PageMeta } from '#contract/common.ts';
import type { TopUp, TopUpList } from '#contract/trip-cards/schemas.ts';
import { isTripCardActionAllowed } from '#domain/trip-cards/trip-card-rights.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { notFound } from '../http/api-error.ts';
import { pageMeta } from '../http/list-query.ts';
import { refreshPayment } from '../payments/settle-intent.ts';
import { presentTopUp } from './presenter.ts';
import { type CardRequest, requireHeldCard, type TopUpRow } from './queries.ts';
import { firstBefore, type HistoryRequest, nextBefore } from './read-cards.ts';
import { topUpSubject } from './top-up-subject.ts';

/**
 * A card's top-ups, newest first, paged by their numbers as its entries are.
 * @throws {ApiError} not_found
 */
export async function listTopUps(
  { db }: Pick<Context, 'db'>,
  { beforeSeq, list, ...input }: HistoryRequest,
): Promise<{ topUps: TopUpList; meta: PageMeta }> {
  const { cardId } = input;
  await requireHeldCard(db, input, 'view_history');
  const [last] = await db
    .select({ seq: max(topUps.seq) })
    .from(topUps)
    .where(eq(topUps.tripCardId, cardId));
  const total = last?.seq ?? 0;
  const rows = await db
    .select()
    .from(topUps)
    .where(and(eq(topUps.tripCardId, cardId), lt(topUps.seq, beforeSeq ?? firstBefore(total, list))))
    .orderBy(desc(topUps.seq))
    .limit(list.pageSize);
  return {
    topUps: { top_ups: rows.map(presentTopUp), next_before_seq: nextBefore(rows) },
    meta: pageMeta(list, total),
  };
}

/**
 * A top-up; while its end is unknown the provider is asked.
 * @throws {ApiError} not_found
 */
export async function readTopUp(
  context: Context,
  { customerId, cardId, topUpId }: CardRequest & { topUpId: string },
): Promise<TopUp> {
  const { role } = await requireHeldCard(context.db, { customerId, cardId }, 'see');
  const topUp = await requireTopUp(context.db, topUpId);
  const maySee = isTripCardActionAllowed(role, 'view_history') || topUp.byCustomerId === customerId;
  if (topUp.tripCardId !== cardId || !maySee) throw notFound();
  return presentTopUp(await refreshTopUp(context, topUp));
}

/** The top-up, after the provider was asked if its end is unknown. */
export async function refreshTopUp(context: Context, topUp: TopUpRow): Promise<TopUpRow> {
  const isRefreshed = await refreshPayment(context, { subject: topUpSubject, payment: topUp });
  return isRefreshed ? requireTopUp(context.db, topUp.id) : topUp;
}

/** @throws {ApiError} not_found */
export async function requireTopUp(db: Database, topUpId: string): Promise<TopUpRow> {
  const [topUp] = await db.select().from(topUps).where(eq(topUps.id, topUpId));
  if (!topUp) throw notFound();
  return topUp;
}
