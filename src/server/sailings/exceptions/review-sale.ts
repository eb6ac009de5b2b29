import { sql } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { wakeMessageWorkers } from '#server/push/queue-pushes.ts';
import { notifyPassengers } from '../notices/notify-passengers.ts';
import { reviewRoom } from './review-room.ts';

/** An order whose places were just sold. `holdId`: the hold that kept them while its buyer paid. */
export type Sale = { orderId: string; holdId: string | null };

type ReviewContext = Pick<Context, 'config' | 'db' | 'clock' | 'jobs' | 'log'>;

/**
 * Looks at what the boats of an order became while its buyer paid: passengers of a boat that is canceled, too small or
 * late by then get their choice at once. A transaction of its own after the sale's, because it locks every order that has
 * a choice. A failure is logged only: the sale is done, and `clear-no-room` looks at canceled and small boats again.
 */
export async function reviewSale(context: ReviewContext, sale: Sale): Promise<void> {
  try {
    const boats = await findTroubledBoats(context.db, sale);
    if (boats.length === 0) return;
    const isLater = boats.some(({ isDelayedSince }) => isDelayedSince);
    const isOver = boats.some(({ oversubscribed }) => oversubscribed);
    const { notified } = await inTransaction(context.db, async (tx) =>
      notifyPassengers(tx, context, {
        affected: isOver ? await reviewRoom(tx, context) : [],
        changingBoats: isLater ? [sale.orderId] : [],
      }),
    );
    if (notified > 0) wakeMessageWorkers(context.jobs);
  } catch (error) {
    context.log.error('sale not reviewed', { order_id: sale.orderId, ...describeError(error) });
  }
}

type TroubledBoat = { oversubscribed: boolean; isDelayedSince: boolean };

/** The boats of an order that are canceled, oversubscribed, or late since its places were held. */
async function findTroubledBoats(db: Database, { orderId, holdId }: Sale): Promise<TroubledBoat[]> {
  return queryRows<TroubledBoat>(
    db,
    sql`
    select * from (
      select distinct s.id, s.status, s.oversubscribed,
        s.delay_minutes > 0 and coalesce(s.updated_at > h.inserted_at, false) as "isDelayedSince"
      from order_lines l
      join sailings s on s.id = l.sailing_id
      left join holds h on h.id = ${holdId}::text
      where l.order_id = ${orderId} and l.status = 'active'
    ) boats
    where status = 'canceled' or oversubscribed or "isDelayedSince"`,
  );
}
