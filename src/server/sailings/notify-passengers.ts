import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import type { OrderMailKind } from '../mail/templates/order.ts';
import { forEachChunk } from './bulk.ts';

/** Why the passengers of an order must be notified. `no_room`: the vessel has less room than was sold. */
type Why = 'sailing_cancelled' | 'sailing_changed' | 'no_room';

/** An order whose passengers must be notified. */
export type AffectedOrder = { orderId: string; why: Why };

const MAILS: Readonly<Record<Why, OrderMailKind>> = {
  sailing_cancelled: 'sailing-cancelled',
  sailing_changed: 'sailing-changed',
  no_room: 'sailing-overbooked',
};

/** Queues one mail per order. */
export async function notifyPassengers(
  tx: Database,
  context: Pick<Context, 'clock'>,
  affected: readonly AffectedOrder[],
): Promise<void> {
  for (const { orderId, why } of affected) await queueOrderMail(tx, context, { kind: MAILS[why], orderId });
}

type MarkInput = { ids: readonly string[]; why: Why; now: Date };

/**
 * Marks the orders on some sailings for attention. Never replaces a doubtful payment, or a cancellation by a lesser
 * change.
 * @param input ids: of sailings
 * @returns the orders whose passengers must be notified
 */
export async function markOrders(db: Database, input: MarkInput): Promise<AffectedOrder[]> {
  return setAttention(db, {
    ...input,
    condition: (list) => sql`${isReplaceable(input.why)} and id in ${ordersOnSailings(list)}`,
  });
}

/** Like `markOrders`, for some orders. */
export async function markOrdersById(db: Database, input: MarkInput): Promise<AffectedOrder[]> {
  return setAttention(db, {
    ...input,
    condition: (list) => sql`${isReplaceable(input.why)} and id in ${list}`,
  });
}

/**
 * A reinstated sailing is a change for its passengers, unless another leg is still canceled.
 * @param input ids: of sailings
 */
export async function markReinstated(
  db: Database,
  { ids, now }: Pick<MarkInput, 'ids' | 'now'>,
): Promise<AffectedOrder[]> {
  const isOver = sql`needs_attention = 'sailing_cancelled'
    and not exists (
      select from order_lines l join sailings s on s.id = l.sailing_id
      where l.order_id = orders.id and l.status = 'active' and s.status = 'cancelled')`;
  return setAttention(db, {
    ids,
    now,
    why: 'sailing_changed',
    condition: (list) => sql`${isOver} and id in ${ordersOnSailings(list)}`,
  });
}

function isReplaceable(why: Why): SQL {
  const lesser = why === 'sailing_cancelled' ? sql`'sailing_changed', 'no_room'` : sql`'sailing_changed'`;
  return sql`status in ('held', 'awaiting_payment', 'confirmed', 'partly_cancelled')
    and (needs_attention is null or needs_attention in (${lesser}))`;
}

function ordersOnSailings(list: SQL): SQL {
  return sql`(select order_id from order_lines where status = 'active' and sailing_id in ${list})`;
}

/** Passengers of paid orders are notified; a buyer who has not paid yet sees the change on the form. */
async function setAttention(
  db: Database,
  { ids, why, now, condition }: MarkInput & { condition: (list: SQL) => SQL },
): Promise<AffectedOrder[]> {
  const affected: AffectedOrder[] = [];
  await forEachChunk(ids, async (list) => {
    const rows = await queryRows<{ id: string; status: string }>(
      db,
      sql`
      update orders set needs_attention = ${why}, version = version + 1, updated_at = ${now.toISOString()}
      where ${condition(list)}
      returning id, status`,
    );
    for (const { id, status } of rows) {
      if (status === 'confirmed' || status === 'partly_cancelled') affected.push({ orderId: id, why });
    }
  });
  return affected;
}
