import { type SQL, sql } from 'drizzle-orm';
import type { PushKind } from '#domain/orders/push-kinds.ts';
import type { DelayNotice } from '#domain/sailings/delay-notice.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { queueOrderMails } from '#server/mail/order-mails.ts';
import { queuePushes } from '#server/push/queue-pushes.ts';
import { type NoticeContext, queueSms } from '#server/sms/queue-sms.ts';
import { forEachChunk } from '../bulk.ts';
import { findOrdersKeptOn } from '../offers/find-kept.ts';
import { type ChangedOffer, updateOffers } from '../offers/update-offers.ts';
import { type NoticeReport, reportNotices } from './notice-report.ts';

/** Why an order needs attention. `no_room`: the vessel has less room than was sold. */
type Attention = 'sailing_canceled' | 'sailing_changed' | 'no_room';

/**
 * An order whose passengers must be notified. `unpaid_canceled`: it waits for payment, and ends with its boat; see
 * `endLinksOfCanceledBoats`.
 */
export type AffectedOrder = { orderId: string; why: Attention | 'unpaid_canceled' };

/**
 * What happened to an order. `offer_changed`: places are protected on another sailing than before, or no longer.
 * `kept_moved`: the sailing with its protected places has other times. `sailing_late`: another delay than its
 * passengers were told, `sailing_on_time`: none any more.
 */
type Event =
  | Attention
  | 'sailing_delayed'
  | 'offer_changed'
  | 'kept_moved'
  | 'sailing_late'
  | 'sailing_on_time';

/** How passengers are notified. */
const CHANNELS = [queueOrderMails, queuePushes, queueSms];

export type Notice = {
  affected?: readonly AffectedOrder[];
  /** Orders with a connection on a sailing that has another delay than before. */
  changingBoats?: readonly string[];
  /** Orders whose passengers must be told a delay, or its end. */
  delays?: Readonly<Record<DelayNotice, readonly string[]>>;
  /** Sailings with other times than passengers were told. Those who have protected places on them must be told, too. */
  moved?: readonly string[];
};

/**
 * Offers passengers what they may choose instead of sailings that do not run as bought, and queues one notice per order
 * on every channel that reaches it.
 */
export async function notifyPassengers(
  tx: Database,
  context: NoticeContext,
  { affected = [], changingBoats = [], delays = { late: [], on_time: [] }, moved = [] }: Notice,
): Promise<NoticeReport> {
  const unpaid = affected.flatMap(({ orderId, why }) => (why === 'unpaid_canceled' ? [orderId] : []));
  const paid = affected.flatMap(({ orderId, why }) => (why === 'unpaid_canceled' ? [] : [{ orderId, why }]));
  const ids = [...paid.map(({ orderId }) => orderId), ...changingBoats];
  const changed = await updateOffers(tx, context, ids);
  const changing = new Set(changingBoats);
  const missing = changed.filter(
    ({ orderId, change }) => change === 'sailing_delayed' && changing.has(orderId),
  );
  await markOrdersById(tx, {
    ids: missing.map(({ orderId }) => orderId),
    why: 'sailing_changed',
    now: context.clock.now(),
  });
  const events = new Map<string, Event>(paid.map(({ orderId, why }) => [orderId, why]));
  for (const { orderId, change } of changed) {
    const event = events.get(orderId);
    if (event === undefined || change !== 'withdrawn') events.set(orderId, EVENTS[change]);
  }
  // Every other notice has the times, too, except one that tells only what was bought.
  for (const orderId of await findOrdersKeptOn(tx, moved)) {
    const event = events.get(orderId) ?? 'sailing_changed';
    if (event === 'sailing_changed') events.set(orderId, 'kept_moved');
  }
  for (const orderId of delays.late) if (!events.has(orderId)) events.set(orderId, 'sailing_late');
  for (const orderId of delays.on_time) {
    const event = events.get(orderId) ?? 'sailing_changed';
    if (event === 'sailing_changed') events.set(orderId, 'sailing_on_time');
  }
  const notices = new Map<PushKind, string[]>();
  for (const [event, orders] of Map.groupBy(events, ([, each]) => each)) {
    const notice = { kind: KINDS[event], orderIds: orders.map(([orderId]) => orderId) };
    for (const queue of CHANNELS) await queue(tx, context, notice);
    notices.set(notice.kind, notice.orderIds);
  }
  return reportNotices(tx, context, { paid: notices, unpaid });
}

const EVENTS: Readonly<Record<ChangedOffer['change'], Event>> = {
  sailing_canceled: 'sailing_canceled',
  sailing_delayed: 'sailing_delayed',
  no_room: 'no_room',
  renewed: 'offer_changed',
  withdrawn: 'sailing_changed',
};

/** The kind of mail, push and text message. */
const KINDS: Readonly<Record<Event, PushKind>> = {
  sailing_canceled: 'sailing-canceled',
  sailing_changed: 'sailing-changed',
  sailing_delayed: 'sailing-delayed',
  no_room: 'sailing-overbooked',
  offer_changed: 'rebooking-offer-changed',
  kept_moved: 'sailing-kept-moved',
  sailing_late: 'sailing-late',
  sailing_on_time: 'sailing-on-time',
};

type MarkInput = { ids: readonly string[]; why: Attention; now: Date };

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
  const isOver = sql`needs_attention = 'sailing_canceled'
    and not exists (
      select from order_lines l join sailings s on s.id = l.sailing_id
      where l.order_id = orders.id and l.status = 'active' and s.status = 'canceled')`;
  return setAttention(db, {
    ids,
    now,
    why: 'sailing_changed',
    condition: (list) => sql`${isOver} and id in ${ordersOnSailings(list)}`,
  });
}

function isReplaceable(why: Attention): SQL {
  const lesser = why === 'sailing_canceled' ? sql`'sailing_changed', 'no_room'` : sql`'sailing_changed'`;
  return sql`status in ('held', 'awaiting_payment', 'confirmed', 'partly_canceled')
    and (needs_attention is null or needs_attention in (${lesser}))`;
}

function ordersOnSailings(list: SQL): SQL {
  return sql`(select order_id from order_lines where status = 'active' and sailing_id in ${list})`;
}

/**
 * Passengers of paid orders are notified. A buyer who pays at once sees the change on the form; one who pays later is told
 * that the boat is canceled.
 */
async function setAttention(
  db: Database,
  { ids, why, now, condition }: MarkInput & { condition: (list: SQL) => SQL },
): Promise<AffectedOrder[]> {
  const affected: AffectedOrder[] = [];
  await forEachChunk(ids, async (list) => {
    const rows = await queryRows<{ id: string; status: string; paysLater: boolean }>(
      db,
      sql`
      update orders set needs_attention = ${why}, version = version + 1, updated_at = ${now.toISOString()}
      where ${condition(list)}
      returning id, status, sold_by is not null as "paysLater"`,
    );
    for (const { id, status, paysLater } of rows) {
      if (status === 'confirmed' || status === 'partly_canceled') affected.push({ orderId: id, why });
      else if (paysLater && why === 'sailing_canceled')
        affected.push({ orderId: id, why: 'unpaid_canceled' });
    }
  });
  return affected;
}
