import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { LEGS, type LegName } from '#contract/orders/buy/legs.ts';
import { compareLegs, type Direction } from '#domain/orders/legs.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { type HoldRow, holds } from '../database/schema/holds.ts';
import { rebookingOffers } from '../database/schema/rebooking-offers.ts';
import {
  cancellations,
  type OrderLineRow,
  type OrderRow,
  orderChanges,
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
import { readSoldNames, type SoldNames } from '../database/sold-names.ts';
import { inSnapshot } from '../database/transactions.ts';
import { notFound } from '../http/api-error.ts';
import { findTimetable, type TimetableRecord } from '../sailings/queries.ts';
import { OPEN_CHANGE } from './change/end-change.ts';

/** An order with the rows that change with it; what cancellations, changes, moves and refunds depend on. */
export type StoredOrder = {
  order: OrderRow;
  lines: OrderLineRow[];
  tickets: TicketRow[];
  /** Those by trip card first. */
  payments: PaymentRow[];
  refunds: RefundRow[];
  /** What cancellations and changes have kept of cancellation fees. */
  feesKept: number;
};

/** An order with everything that is shown of it. */
export type OrderRecord = StoredOrder & {
  hold: HoldRow;
  names: SoldNames;
  /** Numbers of the trip cards of its payments and refunds, by id. */
  tripCardNumbers: ReadonlyMap<string, string>;
  /** The legs' sailings, as they are travelled. */
  legs: { leg: LegName; sailing: TimetableRecord }[];
  /** The last deadline of a choice of sailings, which may be over; null if the order never had one. */
  choiceUntil: Date | null;
  /** The deadline, which may be over, of a change that staff made and the buyer has not paid; null if there is none. */
  changeToPayUntil: Date | null;
  /** The ends of its open tickets, by journey. */
  openTickets: ReadonlyMap<Direction, Date>;
};

/** Orders by id, on one snapshot, in the order of the ids; unknown ids are omitted. */
export async function findOrders(db: Database, ids: readonly string[]): Promise<OrderRecord[]> {
  if (ids.length === 0) return [];
  const { rows, stored, tripCardNumbers, names } = await inSnapshot(db, (tx) => readOrders(tx, ids));
  const sailingIds = stored.lineRows.map(({ sailingId }) => sailingId);
  const sailings = await findTimetable(db, [...new Set(sailingIds)]);
  return ids.flatMap((id) => {
    const row = rows.find(({ order }) => order.id === id);
    if (!row) return [];
    const rowsOfOrder = pickRows(stored, id);
    return { ...row, ...rowsOfOrder, tripCardNumbers, names, legs: findLegs(rowsOfOrder.lines, sailings) };
  });
}

/** Reads the rows of an order; unchanging within a transaction that has locked it. */
export async function readStoredOrder(tx: Database, order: OrderRow): Promise<StoredOrder> {
  const [fees] = await tx.select({ feesKept }).from(orders).where(eq(orders.id, order.id));
  return { order, ...pickRows(await readRows(tx, [order.id]), order.id), feesKept: fees?.feesKept ?? 0 };
}

// Not `${orders.id}`: in a query of one table its fields have no table's name.
const feesKept = sql`(
  select coalesce(sum(c.fee), 0) from ${cancellations} c where c.order_id = ${orders}.id) + (
  select coalesce(sum(c.cancellation_fee), 0) from ${orderChanges} c
  where c.order_id = ${orders}.id and c.status = 'done')`.mapWith(Number);

const choiceUntil = sql<string | null>`(
  select max(deadline) from ${rebookingOffers} f where f.order_id = ${orders}.id and f.status in ('open', 'moved'))`.mapWith(
  rebookingOffers.deadline,
) as SQL<Date | null>;

const changeToPayUntil = sql<string | null>`(
  select h.expires_at from ${orderChanges} c join ${holds} h on h.id = c.hold_id and h.status = 'active'
  where c.order_id = ${orders}.id and c.actor = 'operator' and c.status in ${OPEN_CHANGE})`.mapWith(
  holds.expiresAt,
) as SQL<Date | null>;

const openTickets = sql<ReadonlyMap<Direction, Date>>`(
  select coalesce(jsonb_object_agg(f.direction, f.deadline), '{}') from ${rebookingOffers} f
  where f.order_id = ${orders}.id and f.status = 'open' and f.open_ticket_at is not null)`.mapWith(
  (ends: Record<Direction, string>) =>
    new Map(Object.entries(ends).map(([direction, end]) => [direction, new Date(end)] as [Direction, Date])),
);

async function readOrders(tx: Database, ids: readonly string[]) {
  const rows = await tx
    .select({ order: orders, hold: holds, choiceUntil, changeToPayUntil, openTickets, feesKept })
    .from(orders)
    .innerJoin(holds, eq(holds.id, orders.holdId))
    .where(inArray(orders.id, [...ids]));
  const stored = await readRows(
    tx,
    rows.map(({ order }) => order.id),
  );
  const tripCardNumbers = await findTripCardNumbers(tx, [...stored.paymentRows, ...stored.refundRows]);
  return { rows, stored, tripCardNumbers, names: await readSoldNames(tx) };
}

type RowsOfOrders = Awaited<ReturnType<typeof readRows>>;

async function readRows(tx: Database, ids: string[]) {
  return {
    lineRows: await tx
      .select()
      .from(orderLines)
      .where(inArray(orderLines.orderId, ids))
      .orderBy(asc(orderLines.position)),
    ticketRows: await tx
      .select()
      .from(tickets)
      .where(inArray(tickets.orderId, ids))
      .orderBy(asc(tickets.partyIndex)),
    paymentRows: await tx
      .select()
      .from(payments)
      .where(inArray(payments.orderId, ids))
      .orderBy(asc(payments.tripCardId), asc(payments.attempt)),
    refundRows: await tx
      .select()
      .from(refunds)
      .where(inArray(refunds.orderId, ids))
      .orderBy(asc(refunds.insertedAt)),
  };
}

function pickRows({ lineRows, ticketRows, paymentRows, refundRows }: RowsOfOrders, id: string) {
  return {
    lines: lineRows.filter((row) => row.orderId === id),
    tickets: ticketRows.filter((row) => row.orderId === id).toSorted((a, b) => compareLegs(a.leg, b.leg)),
    payments: paymentRows.filter((row) => row.orderId === id),
    refunds: refundRows.filter((row) => row.orderId === id),
  };
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

/** The tickets that count as sold: neither canceled nor replaced. */
export function listSoldTickets({ tickets: all }: Pick<StoredOrder, 'tickets'>): TicketRow[] {
  return all.filter(({ status }) => status !== 'canceled' && status !== 'replaced');
}

/** Whether a ticket has not been used and can be canceled. */
export function isUnused({ status }: Pick<TicketRow, 'status'>): boolean {
  return status === 'issued' || status === 'checked_in';
}
