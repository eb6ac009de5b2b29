import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import type { LegName } from '#contract/orders/buy/legs.ts';
import type { OrderStatus } from '#contract/orders/statuses.ts';
import { compareLegs, getDirection } from '#domain/orders/legs.ts';
import { isOffered } from '#domain/orders/offered-boats.ts';
import { findOfferedOpenTicket } from '#domain/orders/open-tickets.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { getPaidAmounts } from '#domain/refunds/paid-amounts.ts';
import { getRefundMethod } from '#domain/refunds/refund-method.ts';
import { type DescribedAssistance, describeAssistance } from '#sentences/assistance.ts';
import { titleTicket } from '#sentences/order-lines.ts';
import type { CardOfPayment } from '#sentences/payment-cards.ts';
import { textsIn } from '#server/core/texts.ts';
import { batched } from '../database/batched.ts';
import type { Database } from '../database/database.ts';
import { perDatabase } from '../database/per-database.ts';
import { type HoldRow, holds } from '../database/schema/holds.ts';
import { type RebookingOfferRow, rebookingOffers } from '../database/schema/rebooking-offers.ts';
import {
  type CancellationRow,
  cancellations,
  type OrderChangeRow,
  type OrderLineRow,
  type OrderRow,
  orderChanges,
  orderLines,
  orders,
  payments,
  refunds,
  type TicketRow,
  tickets,
} from '../database/schema/sales.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { readSoldNames, type SoldNames } from '../database/sold-names.ts';
import { inSnapshot } from '../database/transactions.ts';
import { listLegs, readSailings, type SailingRows } from './travel-legs.ts';

/** An order as printed, mailed and exported to calendars. */
export type TravelDocument = {
  order: OrderRow;
  /** Only for documents that go to the order's owner or to its address. */
  assistance: DescribedAssistance | null;
  /** Outward first. */
  legs: TravelLeg[];
  lines: DocumentLine[];
  /** Those that are still valid for boarding, outward first. */
  tickets: TravelTicket[];
  /** The payments, and where refunds went. */
  paid: MovedMoney[];
  refunded: (MovedMoney & { cancellationId: string | null; changeId: string | null })[];
  /** Oldest first. */
  changes: DocumentChange[];
  /** Oldest first. */
  cancellations: DocumentCancellation[];
  /** Legs of which no ticket is left in an order that has others, or all legs of a canceled order. */
  canceledLegs: TravelLeg[];
  /** What the buyer may choose now, outward first. */
  offers: TravelOffer[];
  /** The last deadline of the buyer's choice, also after a first answer; null: there is none. */
  choiceUntil: Date | null;
};
/** `refund`: what was paid for its boats. */
export type TravelOffer = {
  offer: RebookingOfferRow;
  /** The booked boats that it is for. */
  booked: TravelLeg[];
  /** The boat of the journey that departed before; null: none. */
  departed: TravelLeg | null;
  /** The boats on which places are protected; empty if there are none, or not any more. */
  protected: TravelLeg[];
  protectedUntil: Date | null;
  /** The end of the open ticket that the buyer may choose; null: none is offered. */
  openTicketEnd: Date | null;
  refund: number;
};
type DocumentLine = Pick<
  OrderLineRow,
  'leg' | 'kind' | 'item' | 'description' | 'quantity' | 'amount' | 'tax'
>;
/** `lines`: its new lines, its fee and its credit for the tickets that it replaced. */
export type DocumentChange = Pick<OrderChangeRow, 'id' | 'difference'> & { lines: DocumentLine[] };
export type DocumentCancellation = CancellationRow & { lines: DocumentLine[] };
/** Minor units of the order's currency. */
export type MovedMoney = CardOfPayment & { amount: number };
export type TravelTicket = TicketRow & { title: string; travelerName: string | undefined };
/** `openTicket`: until when its passengers may choose another sailing, and the zone of the port where the journey begins. */
export type TravelLeg = ReturnType<typeof listLegs>[number] & {
  openTicket?: { until: Date; zone: string };
};

/** Statuses in which an order has tickets to show. */
const STATUSES_WITH_TICKETS: readonly OrderStatus[] = ['confirmed', 'partly_canceled', 'completed'];

/**
 * Reads an order with its crossings on one snapshot; null if the id is unknown. Concurrent reads share statements.
 * @param language of another reader than the buyer
 */
export async function findTravelDocument(
  db: Database,
  orderId: string,
  language?: string,
): Promise<TravelDocument | null> {
  if (language === undefined) return getReader(db)(orderId);
  const [document = null] = await inSnapshot(db, (tx) => readTravelDocuments(tx, [orderId], language));
  return document;
}

const getReader = perDatabase((db) =>
  batched((orderIds: readonly string[]) => inSnapshot(db, (tx) => readTravelDocuments(tx, orderIds))),
);

async function readTravelDocuments(
  db: Database,
  orderIds: readonly string[],
  language?: string,
): Promise<(TravelDocument | null)[]> {
  const orderRows = await db.select().from(orders).where(inArray(orders.id, orderIds));
  const lines = await db
    .select()
    .from(orderLines)
    .where(inArray(orderLines.orderId, orderIds))
    .orderBy(asc(orderLines.position));
  const ticketRows = await db
    .select()
    .from(tickets)
    .where(
      and(inArray(tickets.orderId, orderIds), inArray(tickets.status, ['issued', 'checked_in', 'boarded'])),
    )
    .orderBy(asc(tickets.partyIndex));
  // Those that may be answered, or answered again.
  const offers: OfferRow[] = await db
    .select({ offer: rebookingOffers, hold: { status: holds.status, expiresAt: holds.expiresAt } })
    .from(rebookingOffers)
    .leftJoin(holds, eq(holds.id, rebookingOffers.holdId))
    .where(sql`${rebookingOffers.orderId} in ${orderIds} and ${rebookingOffers.status} in ('open', 'moved')`)
    .orderBy(desc(rebookingOffers.direction));
  const boats = offers.flatMap(({ offer }) => offer.protectedSailingIds ?? []);
  const rows = {
    lines,
    tickets: ticketRows,
    offers,
    sailings: await readSailings(db, [...lines.map(({ sailingId }) => sailingId), ...boats]),
    cancellations: await db
      .select()
      .from(cancellations)
      .where(inArray(cancellations.orderId, orderIds))
      .orderBy(asc(cancellations.insertedAt), asc(cancellations.id)),
    changes: await db
      .select({ id: orderChanges.id, difference: orderChanges.difference, orderId: orderChanges.orderId })
      .from(orderChanges)
      .where(and(inArray(orderChanges.orderId, orderIds), eq(orderChanges.status, 'done')))
      .orderBy(asc(orderChanges.insertedAt), asc(orderChanges.id)),
    ...(await readMoney(db, orderIds)),
    names: await readSoldNames(db),
  };
  return orderIds.map((orderId) => {
    const order = orderRows.find(({ id }) => id === orderId);
    return order
      ? buildDocument({ ...order, locale: language ?? order.locale }, selectRows(rows, orderId))
      : null;
  });
}

/** What was read of one order or several. */
type Rows = {
  lines: OrderLineRow[];
  tickets: TicketRow[];
  offers: OfferRow[];
  /** Of all orders. */
  sailings: SailingRows;
  cancellations: CancellationRow[];
  changes: (Pick<OrderChangeRow, 'id' | 'difference'> & OfOrder)[];
  paid: (MovedMoney & OfOrder)[];
  refunded: (TravelDocument['refunded'][number] & OfOrder)[];
  names: SoldNames;
};
type OfOrder = { orderId: string };

function selectRows(rows: Rows, orderId: string): Rows {
  const isOwn = (row: OfOrder) => row.orderId === orderId;
  return {
    lines: rows.lines.filter(isOwn),
    tickets: rows.tickets.filter(isOwn),
    offers: rows.offers.filter(({ offer }) => isOwn(offer)),
    sailings: rows.sailings,
    cancellations: rows.cancellations.filter(isOwn),
    changes: rows.changes.filter(isOwn),
    paid: rows.paid.filter(isOwn),
    refunded: rows.refunded.filter(isOwn),
    names: rows.names,
  };
}

function buildDocument(sold: OrderRow, rows: Rows): TravelDocument {
  const { sailings: boats, names } = rows;
  const order = {
    ...sold,
    fareClassName: names.translateFareClass(
      { code: sold.fareClassCode, name: sold.fareClassName },
      sold.locale,
    ),
  };
  const lines = rows.lines.map((line) => names.translateLine(line, order.locale));
  const active = lines.filter((line) => line.status === 'active');
  const ended = lines.filter(({ status }) => status === 'canceled');
  const travelled = active.length > 0 ? active : ended.length > 0 ? ended : lines;
  const hasActive = (leg: LegName) => active.some((line) => line.leg === leg);
  // Also the second boat of a journey that was changed to a direct one. The last sailing of a leg counts.
  const gone = lines.filter(({ leg, status }) => status !== 'active' && !hasActive(leg)).toReversed();
  const legs = withOpenTickets(listLegs(order, travelled, boats), rows.offers);
  const t = textsIn(order.locale);
  const titled = rows.tickets.map((ticket) => ({
    ...ticket,
    title: titleTicket(t, ticket, { lines, plate: order.plate }),
  }));
  return {
    order,
    assistance: describeAssistance(t, order.locale, {
      ...order,
      legs: legs.map(({ leg, origin, departsAt }) => ({
        ...{ leg, port: origin.name },
        departsAt: departsAt.getTime(),
      })),
      tickets: titled.map((ticket) => ({ ...ticket, issuedAt: ticket.issuedAt.getTime() })),
    }),
    legs,
    ...describeChoice(order, { rows: rows.offers, legs, lines: active, boats }),
    canceledLegs: listLegs(order, gone, boats),
    cancellations: rows.cancellations.map((row) => ({
      ...row,
      lines: lines.filter(({ cancellationId }) => cancellationId === row.id),
    })),
    changes: rows.changes.map(({ id, difference }) => ({
      id,
      difference,
      lines: lines.filter(({ changeId }) => changeId === id),
    })),
    lines: travelled,
    tickets: titled
      .toSorted((one, other) => compareLegs(one.leg, other.leg))
      .map((ticket) => ({ ...ticket, travelerName: findTravelerName(order.travelerNames, ticket) })),
    paid: rows.paid,
    refunded: rows.refunded,
  };
}

type OfferRow = { offer: RebookingOfferRow; hold: Pick<HoldRow, 'status' | 'expiresAt'> | null };

function withOpenTickets(legs: TravelLeg[], rows: readonly OfferRow[]): TravelLeg[] {
  return legs.map((leg) => {
    const isOwn = ({ offer }: OfferRow) =>
      offer.direction === getDirection(leg.leg) && offer.status === 'open';
    const until = rows.find((row) => isOwn(row) && row.offer.openTicketAt)?.offer.deadline;
    const start = legs.find((each) => getDirection(each.leg) === getDirection(leg.leg));
    return until && start ? { ...leg, openTicket: { until, zone: start.origin.timeZone } } : leg;
  });
}

type ChoiceInput = {
  rows: readonly OfferRow[];
  legs: TravelLeg[];
  lines: OrderLineRow[];
  boats: SailingRows;
};

function describeChoice(
  order: OrderRow,
  { rows, legs, lines, boats }: ChoiceInput,
): Pick<TravelDocument, 'offers' | 'choiceUntil'> {
  const { currency, farePolicy } = order;
  const deadlines = rows.map(({ offer }) => offer.deadline.getTime());
  const choiceUntil = deadlines.length === 0 ? null : new Date(Math.max(...deadlines));
  const open = rows.filter(({ offer }) => offer.status === 'open');
  const paid = getPaidAmounts(lines, currency);
  const offers: TravelOffer[] = [];
  for (const { offer, hold } of open) {
    const ofDirection = legs.filter(({ leg }) => getDirection(leg) === offer.direction);
    const booked = ofDirection.filter((leg) => isOffered(offer, leg));
    const isProtected = hold?.status === 'active';
    const protectedIds = isProtected ? (offer.protectedSailingIds ?? []) : [];
    const offeredLines = lines.filter((line) => isOffered(offer, line));
    const places = protectedIds.flatMap((sailingId, index) =>
      // From the last boat on: only the second one may be left to replace.
      offeredLines
        .filter(({ leg }) => leg === booked.at(index - protectedIds.length)?.leg)
        .map(({ leg, kind }) => ({ leg, kind, sailingId })),
    );
    offers.push({
      offer,
      booked,
      departed: ofDirection.find((leg) => !booked.includes(leg)) ?? null,
      protected: listLegs(order, places, boats),
      protectedUntil: isProtected ? hold.expiresAt : null,
      openTicketEnd: booked[0] ? findOpenTicketEnd(farePolicy, offer, booked[0]) : null,
      refund: offeredLines
        .flatMap((line) => paid.get(line.id) ?? [])
        .reduce((sum, amount) => sum + amount, 0),
    });
  }
  return { offers, choiceUntil };
}

function findOpenTicketEnd(
  policy: OrderRow['farePolicy'],
  offer: RebookingOfferRow,
  { departsAt, origin }: TravelLeg,
): Date | null {
  const departure = { departsAt: departsAt.getTime(), zone: origin.timeZone };
  const end = findOfferedOpenTicket({ ...offer, deadline: offer.deadline.getTime() }, policy, departure);
  return end === null ? null : new Date(end);
}

async function readMoney(
  db: Database,
  orderIds: readonly string[],
): Promise<Pick<Rows, 'paid' | 'refunded'>> {
  const card = {
    method: payments.method,
    number: tripCards.number,
    network: payments.cardNetwork,
    lastFour: payments.cardLastFour,
  };
  const paid = await db
    .select({
      orderId: sql<string>`${payments.orderId}`,
      amount: payments.amount,
      coverage: payments.coverage,
      ...card,
      wallet: payments.cardWallet,
    })
    .from(payments)
    .leftJoin(tripCards, eq(tripCards.id, payments.tripCardId))
    .where(and(inArray(payments.orderId, orderIds), eq(payments.status, 'succeeded')))
    .orderBy(asc(payments.tripCardId), asc(payments.attempt));
  const refunded = await db
    .select({
      orderId: sql<string>`${refunds.orderId}`,
      amount: refunds.amount,
      trips: refunds.trips,
      cancellationId: refunds.cancellationId,
      changeId: refunds.changeId,
      invoiceId: refunds.invoiceId,
      ...card,
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .leftJoin(tripCards, eq(tripCards.id, refunds.tripCardId))
    .where(
      and(inArray(refunds.orderId, orderIds), ne(refunds.status, 'failed'), ne(refunds.reason, 'dispute')),
    )
    .orderBy(asc(refunds.insertedAt), asc(refunds.id));
  return {
    paid: paid.map(({ orderId, coverage, ...money }) => ({
      ...toMovedMoney({ ...money, trips: coverage }),
      orderId,
    })),
    refunded: refunded.map(({ orderId, cancellationId, changeId, invoiceId, ...money }) => ({
      ...toMovedMoney({ ...money, method: getRefundMethod({ tripCardId: null, invoiceId }, money) }),
      ...{ orderId, cancellationId, changeId },
    })),
  };
}

type MoneyRow = Omit<MovedMoney, 'trips'> & {
  number: string | null;
  trips: readonly object[] | null;
};

function toMovedMoney({ number, trips, ...money }: MoneyRow): MovedMoney {
  // A payment by card may be refunded to a trip card.
  if (number === null) return money;
  const { amount } = money;
  const lastFour = number.slice(-4);
  return { method: 'trip_card', amount, network: null, lastFour, trips: trips?.length ?? null };
}

/** Like `findTravelDocument`, only for orders that are paid and not refunded. */
export async function findConfirmedDocument(db: Database, orderId: string): Promise<TravelDocument | null> {
  const document = await findTravelDocument(db, orderId);
  return document && STATUSES_WITH_TICKETS.includes(document.order.status) ? document : null;
}

/** Whether a document has tickets to show. */
export function isConfirmedDocument({ order, tickets: left }: TravelDocument): boolean {
  return STATUSES_WITH_TICKETS.includes(order.status) && left.length > 0;
}
