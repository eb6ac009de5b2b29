import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { LegName } from '#contract/orders/buy/legs.ts';
import type { ChangeLine } from '#domain/changes/change-line.ts';
import { inheritDeadlines } from '#domain/changes/inherit-deadlines.ts';
import { type Taxation, type TaxPart, toTaxation } from '#domain/fares/taxes.ts';
import { type Direction, getDirection, isOnwardLeg } from '#domain/orders/legs.ts';
import { isFareLine } from '#domain/refunds/paid-amounts.ts';
import { bookOrder } from '#server/accounting/book-order.ts';
import { canUseHeldPlaces, exchangeFreePlaces, exchangeHeldPlaces } from '#server/capacity/places.ts';
import { sumPlaces } from '#server/capacity/sum-places.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { type Database, writtenRow } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { passengerDetails } from '#server/database/schema/passenger-lists.ts';
import {
  lineCapacity,
  type OrderChangeRow,
  type OrderLineRow,
  type OrderRow,
  orderChanges,
  orderLines,
  orders,
  type TicketRow,
  tickets,
} from '#server/database/schema/sales.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { assistanceOfTravelers } from '../assistance.ts';
import { isUnused, listSoldTickets, type StoredOrder } from '../queries.ts';
import { issueTickets } from '../tickets/issue-tickets.ts';
import { hasTickets } from '../unpaid.ts';
import { TicketsChanged } from './cancel-tickets.ts';
import { findFeeParts } from './fee-tax.ts';
import { findAttentionAfterChange, listLinesLeft } from './needs-attention.ts';

/** Which boats of journeys: all, or only the second ones. */
type Boats = { isOnward?: boolean | undefined };

/** Whether the operator is the cause: the new boats' deadlines count. */
type Cause = { isByOperator: boolean };

type Sailing = Pick<typeof sailings.$inferSelect, 'id' | 'voyageId' | 'departsAt' | 'version'>;

/**
 * Replaces journeys of an order, or only their second boats, or adds journeys: the old tickets and lines become `replaced`, their places go back on sale, the
 * change's hold is consumed, and the new lines and tickets are written. A positive difference counts as paid; the caller
 * writes its payment, the refund of a negative one, and the mail. The transaction has locked the order; hold and
 * capacity follow.
 * @returns null, with nothing changed, if a new sailing does not run any more or has too little room, or if the hold has
 * ended and the additional places are not free any more
 * @throws {TicketsChanged} if the order was canceled, if the journeys have other tickets than the change was made for, or if
 * one was used
 */
export async function replaceJourneys(
  tx: Database,
  context: Pick<Context, 'clock' | 'ticketSigner'>,
  { sold, change, isOnward, isByOperator }: { sold: StoredOrder; change: OrderChangeRow } & Boats & Cause,
): Promise<OrderRow | null> {
  requireSameTickets(sold, change, { isOnward });
  const old = listActiveLines(sold, change.journeys, { isOnward });
  const lineIds = old.map(({ id }) => id);
  if (!(await exchangePlaces(tx, context, { change, lineIds }))) return null;
  await tx.update(orderLines).set({ status: 'replaced' }).where(inArray(orderLines.id, lineIds));
  await tx
    .update(tickets)
    .set({ status: 'replaced', version: sql`${tickets.version} + 1` })
    .where(inArray(tickets.id, change.ticketIds));
  const { written, sums } = await writeLines(tx, { sold, change, old });
  const boats = await readSailings(tx, [...old, ...written]);
  const replaced = sold.tickets.filter(({ id }) => change.ticketIds.includes(id));
  const fresh = issueNewTickets(context, { sold, change, written, boats });
  const issued = isByOperator ? fresh : keepDeadlines(fresh, { replaced, boats });
  await tx.insert(tickets).values(issued);
  const keptTickets = sold.tickets.filter(({ id }) => !change.ticketIds.includes(id));
  const after = { tickets: [...keptTickets, ...issued], lines: [...sold.lines, ...written] };
  const order = await writeOrder(tx, context, { sold, change, old, boats, after, sums });
  await tx
    .update(orderChanges)
    .set({ status: 'done', lines: [], travelerNames: null, updatedAt: context.clock.now() })
    .where(eq(orderChanges.id, change.id));
  await bookOrder(tx, context, { orderId: order.id, cause: 'change' });
  return order;
}

/** The tickets of journeys that count as sold. */
export function listTicketsOfJourneys(
  sold: Pick<StoredOrder, 'tickets'>,
  journeys: readonly Direction[],
  boats: Boats = {},
): TicketRow[] {
  return listSoldTickets(sold).filter(({ leg }) => isOfJourneys(leg, journeys, boats));
}

/** The lines of journeys that were neither canceled nor replaced. */
export function listActiveLines(
  { lines }: Pick<StoredOrder, 'lines'>,
  journeys: readonly Direction[],
  boats: Boats = {},
): OrderLineRow[] {
  return lines.filter(({ leg, status }) => status === 'active' && isOfJourneys(leg, journeys, boats));
}

function isOfJourneys(leg: LegName, journeys: readonly Direction[], { isOnward = false }: Boats): boolean {
  return journeys.includes(getDirection(leg)) && (!isOnward || isOnwardLeg(leg));
}

function requireSameTickets(sold: StoredOrder, { journeys, ticketIds }: OrderChangeRow, boats: Boats): void {
  // A change that only adds journeys replaces no ticket.
  if (!hasTickets(sold.order)) throw new TicketsChanged();
  const current = listTicketsOfJourneys(sold, journeys, boats);
  const isSame = current.length === ticketIds.length && current.every(({ id }) => ticketIds.includes(id));
  if (!isSame || !current.every(isUnused)) throw new TicketsChanged();
}

async function exchangePlaces(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { change, lineIds }: { change: OrderChangeRow; lineIds: readonly string[] },
): Promise<boolean> {
  const { orderId, holdId } = change;
  const exchange = { orderId, lineIds, places: sumPlaces(change.lines) };
  if (holdId === null) return exchangeFreePlaces(tx, context, exchange);
  if (!(await canUseHeldPlaces(tx, context, { ...exchange, holdId }))) return false;
  const [ended] = await tx
    .update(holds)
    .set({ status: 'consumed' })
    .where(and(eq(holds.id, holdId), eq(holds.status, 'active')))
    .returning({ id: holds.id });
  if (!ended) return exchangeFreePlaces(tx, context, exchange);
  await exchangeHeldPlaces(tx, { ...exchange, holdId });
  return true;
}

/** Writes the new lines, the fee and the credit for the replaced tickets. The last two never belong to a ticket. */
async function writeLines(
  tx: Database,
  { sold, change, old }: { sold: StoredOrder; change: OrderChangeRow; old: readonly OrderLineRow[] },
): Promise<Record<'written' | 'sums', OrderLineRow[]>> {
  await keepVehicles(tx, { sold, change });
  let position = Math.max(...sold.lines.map((line) => line.position));
  const toRow = ({ takes: _, partyIndexes: __, ...line }: ChangeLine, status: OrderLineRow['status']) => {
    position += 1;
    const { id: changeId, orderId } = change;
    return {
      ...line,
      id: newId('oln'),
      orderId,
      position,
      status,
      cancellationId: null,
      refund: 0,
      feeParts: null,
      changeId,
    };
  };
  const rows = change.lines.map((line) => toRow(line, 'active'));
  const feeParts = await findFeeParts(tx, { fee: change.fee, sailingId: change.lines[0]?.sailingId ?? '' });
  const sums = listSumLines(change, { old, feeParts }).map((line) => toRow(line, 'replaced'));
  await tx.insert(orderLines).values([...rows, ...sums]);
  const capacity = change.lines.flatMap(({ takes, sailingId }, index) =>
    takes.map((item) => ({ lineId: rows[index]?.id ?? '', sailingId, ...item })),
  );
  await tx.insert(lineCapacity).values(capacity);
  return { written: rows, sums };
}

function listSumLines(
  { lines, fee, difference }: OrderChangeRow,
  { old, feeParts }: { old: readonly OrderLineRow[]; feeParts: TaxPart[] | null },
): ChangeLine[] {
  const [first] = lines;
  if (!first) return [];
  const price = lines.reduce((sum, { amount }) => sum + amount, 0);
  const credit = difference - fee - price;
  const tax = old.reduce((sum, line) => sum - line.tax, 0);
  const build = (
    kind: 'fee' | 'discount',
    item: 'change_fee' | 'earlier_tickets',
    amount: number,
    taxation: Taxation,
  ): ChangeLine => ({
    ...{ leg: first.leg, sailingId: first.sailingId, kind, typeCode: null, item, description: '' },
    ...{ quantity: 1, unitAmount: amount, amount, ...taxation },
    ...{ takes: [], partyIndexes: [], vehicle: null, plate: null },
  });
  return [
    ...(fee > 0 ? [build('fee', 'change_fee', fee, feeParts ? toTaxation(feeParts) : NO_TAX)] : []),
    ...(credit !== 0 || tax !== 0 ? [build('discount', 'earlier_tickets', credit, { ...NO_TAX, tax })] : []),
  ];
}

const NO_TAX: Taxation = { taxBp: 0, tax: 0, taxParts: null };

/** Other vehicle lines keep the vehicle that the order had, also those that the change replaces. */
async function keepVehicles(
  tx: Database,
  { sold: { order }, change }: { sold: StoredOrder; change: OrderChangeRow },
): Promise<void> {
  if (!change.lines.some(({ kind }) => kind === 'vehicle')) return;
  await tx
    .update(orderLines)
    .set({ vehicle: order.vehicle, plate: order.plate })
    .where(
      and(
        eq(orderLines.orderId, order.id),
        ne(orderLines.status, 'canceled'),
        eq(orderLines.kind, 'vehicle'),
        isNull(orderLines.vehicle),
      ),
    );
}

async function readSailings(tx: Database, lines: readonly { sailingId: string }[]): Promise<Sailing[]> {
  const ids = [...new Set(lines.map(({ sailingId }) => sailingId))];
  return tx
    .select({
      id: sailings.id,
      voyageId: sailings.voyageId,
      departsAt: sailings.departsAt,
      version: sailings.version,
    })
    .from(sailings)
    .where(inArray(sailings.id, ids));
}

function issueNewTickets(
  context: Pick<Context, 'clock' | 'ticketSigner'>,
  {
    sold: { order },
    change,
    written,
    boats,
  }: {
    sold: StoredOrder;
    change: OrderChangeRow;
    written: readonly OrderLineRow[];
    boats: readonly Sailing[];
  },
): TicketRow[] {
  const lines = written.flatMap((row, index) => {
    const sailing = boats.find(({ id }) => id === row.sailingId);
    const partyIndexes = change.lines[index]?.partyIndexes ?? [];
    return sailing ? [{ ...row, partyIndexes, departsAt: sailing.departsAt }] : [];
  });
  return issueTickets(context, { order, lines });
}

/** Lets the refund deadlines of new tickets count from an earlier boat that they replace. */
function keepDeadlines(
  issued: readonly TicketRow[],
  { replaced, boats }: { replaced: readonly TicketRow[]; boats: readonly Sailing[] },
): TicketRow[] {
  const departureOf = ({ sailingId }: TicketRow) =>
    boats.find(({ id }) => id === sailingId)?.departsAt.getTime() ?? Number.POSITIVE_INFINITY;
  return [...Map.groupBy(issued, ({ leg }) => getDirection(leg))].flatMap(([direction, own]) => {
    const inherited = inheritDeadlines(
      [...new Set(own.map(({ partyIndex }) => partyIndex))],
      replaced
        .filter(({ leg }) => getDirection(leg) === direction)
        .map((ticket) => ({
          partyIndex: ticket.partyIndex,
          countsFrom: Math.min(departureOf(ticket), ticket.refundsCountFrom?.getTime() ?? Infinity),
        })),
    );
    const start = Math.min(...own.map(departureOf));
    return own.map((ticket) => {
      const countsFrom = inherited.get(ticket.partyIndex) ?? start;
      return countsFrom < start ? { ...ticket, refundsCountFrom: new Date(countsFrom) } : ticket;
    });
  });
}

async function writeOrder(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  {
    sold,
    change,
    old,
    boats,
    after,
    sums,
  }: {
    sold: StoredOrder;
    change: OrderChangeRow;
    old: readonly OrderLineRow[];
    boats: readonly Sailing[];
    after: Pick<StoredOrder, 'tickets' | 'lines'>;
    sums: readonly OrderLineRow[];
  },
): Promise<OrderRow> {
  const { order } = sold;
  const left = await listLinesLeft(tx, order.id);
  const oldVoyageIds = old.flatMap(
    ({ sailingId }) => boats.find(({ id }) => id === sailingId)?.voyageId ?? [],
  );
  const total = order.total + change.difference;
  const discount = order.discount + sumDiscounts(old) - sumDiscounts(change.lines);
  // The details of travelers belong to their numbers, and are asked for again.
  if (change.travelerNames) {
    await tx.delete(passengerDetails).where(eq(passengerDetails.orderId, order.id));
  }
  const written = await tx
    .update(orders)
    .set({
      ...getVehicle(change, { order, left }),
      ...{ total, discount, subtotal: total + discount },
      // The credit for earlier tickets takes back their tax.
      tax: [...change.lines, ...sums].reduce((sum, { tax }) => sum + tax, order.tax),
      paid: order.paid + Math.max(0, change.difference),
      ...(change.travelerNames ? { travelerNames: change.travelerNames } : {}),
      assistance: assistanceOfTravelers(sold, after),
      needsAttention: await findAttentionAfterChange(tx, { clock }, { order, left, oldVoyageIds }),
      notice: 'changed',
      writtenNotice: '',
      version: order.version + 1 + countVersions(change, { old, boats }),
      updatedAt: clock.now(),
    })
    .where(eq(orders.id, order.id))
    .returning();
  return writtenRow(written);
}

/** Negative or zero. */
function sumDiscounts(lines: readonly Pick<OrderLineRow, 'kind' | 'amount'>[]): number {
  return lines.filter((line) => !isFareLine(line)).reduce((sum, { amount }) => sum + amount, 0);
}

function getVehicle(
  { lines }: OrderChangeRow,
  { order, left }: { order: OrderRow; left: readonly { kind: string }[] },
): Pick<OrderRow, 'vehicle' | 'plate'> {
  const changed = lines.find(({ kind }) => kind === 'vehicle');
  if (changed) return { vehicle: changed.vehicle, plate: changed.plate };
  const { vehicle, plate } = order;
  return left.some(({ kind }) => kind === 'vehicle') ? { vehicle, plate } : { vehicle: null, plate: null };
}

/**
 * By how much a replaced sailing's version exceeds that of the new one. Calendars number their updates by the order's
 * version plus the sailing's, and ignore lower numbers.
 */
function countVersions(
  { lines }: OrderChangeRow,
  { old, boats }: { old: readonly OrderLineRow[]; boats: readonly Sailing[] },
): number {
  const findVersion = (of: readonly { leg: string; sailingId: string }[], leg: string) => {
    const sailingId = of.find((line) => line.leg === leg)?.sailingId;
    return boats.find(({ id }) => id === sailingId)?.version ?? 0;
  };
  return Math.max(0, ...lines.map(({ leg }) => findVersion(old, leg) - findVersion(lines, leg)));
}
