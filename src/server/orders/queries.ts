import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { LEGS, type LegName } from '#contract/orders/buy/legs.ts';
import { compareLegs, type Direction } from '#domain/orders/legs.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { rebookingOffers } from '../database/schema/rebooking-offers.ts';
import {
  type HoldRow,
  holds,
  type OrderLineRow,
  type OrderRow,
  orderLines,
  orders,
  type PaymentRow,
  payments,
  type RefundRow,
  refunds,
  type TicketRow,
  tickets,
} from '../database/schema/sales.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { inSnapshot } from '../database/transactions.ts';
import { notFound } from '../http/api-error.ts';
import { findTimetable, type TimetableRecord } from '../sailings/queries.ts';

/** An order with everything stored about it. */
export type OrderRecord = {
  order: OrderRow;
  hold: HoldRow;
  lines: OrderLineRow[];
  tickets: TicketRow[];
  payments: PaymentRow[];
  refunds: RefundRow[];
  /** Numbers of the trip cards of its payments and refunds, by id. */
  tripCardNumbers: ReadonlyMap<string, string>;
  /** The legs' sailings, as they are travelled. */
  legs: { leg: LegName; sailing: TimetableRecord }[];
  /** The last deadline of a choice of sailings, which may be over; null if the order never had one. */
  choiceUntil: Date | null;
  /** The ends of its open tickets, by journey. */
  openTickets: ReadonlyMap<Direction, Date>;
};

/** Orders by id, on one snapshot, in the order of the ids; unknown ids are omitted. */
export async function findOrders(db: Database, ids: readonly string[]): Promise<OrderRecord[]> {
  if (ids.length === 0) return [];
  const { rows, lineRows, ticketRows, paymentRows, refundRows, tripCardNumbers } = await inSnapshot(
    db,
    (tx) => readOrders(tx, ids),
  );
  const sailings = await findTimetable(db, [...new Set(lineRows.map(({ sailingId }) => sailingId))]);
  return ids.flatMap((id) => {
    const found = rows.find(({ order }) => order.id === id);
    if (!found) return [];
    const lines = lineRows.filter((row) => row.orderId === id);
    return {
      ...found,
      lines,
      tickets: ticketRows.filter((row) => row.orderId === id).toSorted((a, b) => compareLegs(a.leg, b.leg)),
      payments: paymentRows.filter((row) => row.orderId === id),
      refunds: refundRows.filter((row) => row.orderId === id),
      tripCardNumbers,
      legs: findLegs(lines, sailings),
    };
  });
}

const choiceUntil = sql<string | null>`(
  select max(deadline) from ${rebookingOffers} f where f.order_id = ${orders.id} and f.status in ('open', 'moved'))`.mapWith(
  rebookingOffers.deadline,
) as SQL<Date | null>;

const openTickets = sql<ReadonlyMap<Direction, Date>>`(
  select coalesce(jsonb_object_agg(f.direction, f.deadline), '{}') from ${rebookingOffers} f
  where f.order_id = ${orders.id} and f.status = 'open' and f.open_ticket_at is not null)`.mapWith(
  (ends: Record<Direction, string>) =>
    new Map(Object.entries(ends).map(([direction, end]) => [direction, new Date(end)] as [Direction, Date])),
);

async function readOrders(tx: Database, ids: readonly string[]) {
  const rows = await tx
    .select({ order: orders, hold: holds, choiceUntil, openTickets })
    .from(orders)
    .innerJoin(holds, eq(holds.id, orders.holdId))
    .where(inArray(orders.id, [...ids]));
  const known = rows.map(({ order }) => order.id);
  const lineRows = await tx
    .select()
    .from(orderLines)
    .where(inArray(orderLines.orderId, known))
    .orderBy(asc(orderLines.position));
  const ticketRows = await tx
    .select()
    .from(tickets)
    .where(inArray(tickets.orderId, known))
    .orderBy(asc(tickets.partyIndex));
  const paymentRows = await tx
    .select()
    .from(payments)
    .where(inArray(payments.orderId, known))
    .orderBy(asc(payments.attempt));
  const refundRows = await tx
    .select()
    .from(refunds)
    .where(inArray(refunds.orderId, known))
    .orderBy(asc(refunds.insertedAt));
  const tripCardNumbers = await findTripCardNumbers(tx, [...paymentRows, ...refundRows]);
  return { rows, lineRows, ticketRows, paymentRows, refundRows, tripCardNumbers };
}

async function findTripCardNumbers(
  db: Database,
  moved: readonly { tripCardId: string | null }[],
): Promise<Map<string, string>> {
  const ids = moved.flatMap(({ tripCardId }) => tripCardId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: tripCards.id, number: tripCards.number })
    .from(tripCards)
    .where(inArray(tripCards.id, ids));
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** @throws {ApiError} not_found */
export async function requireOrder({ db }: Pick<Context, 'db'>, id: string): Promise<OrderRecord> {
  const [record] = await findOrders(db, [id]);
  if (!record) throw notFound();
  return record;
}

/** The legs of an order's lines. A leg without active lines has its last sailing; one that was replaced is left out. */
export function findLegs(
  lines: OrderRecord['lines'],
  sailings: readonly TimetableRecord[],
): OrderRecord['legs'] {
  return LEGS.flatMap((leg) => {
    const ofLeg = lines.filter((line) => line.leg === leg && line.status !== 'replaced');
    const line = ofLeg.find(({ status }) => status === 'active') ?? ofLeg.at(-1);
    const sailing = sailings.find(({ id }) => id === line?.sailingId);
    return sailing ? [{ leg, sailing }] : [];
  });
}
