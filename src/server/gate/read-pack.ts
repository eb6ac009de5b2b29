import { and, eq, getTableColumns, inArray, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { GatePack, GateParty, GateTicket } from '#contract/gate/schemas.ts';
import { getGateHours } from '#domain/boarding/gate-hours.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import type { Translate } from '#messages/translate.ts';
import { translateTexts } from '#messages/translations.ts';
import { describeNeeds } from '#sentences/assistance.ts';
import { titleTicket } from '#sentences/order-lines.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Database } from '#server/database/database.ts';
import { ticketBoardings } from '#server/database/schema/gate.ts';
import { passengerDetails } from '#server/database/schema/passenger-lists.ts';
import { orderLines, orders, tickets } from '#server/database/schema/sales.ts';
import { routes, sailings } from '#server/database/schema/timetable.ts';
import { readSoldNames, type SoldNames } from '#server/database/sold-names.ts';
import { inSnapshot } from '#server/database/transactions.ts';
import { listTicketKeys } from '#server/orders/tickets/keys.ts';
import { type CatalogueRecord, listTimetable, loadCatalogue } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { readGateFares } from './fares/read-gate-fares.ts';
import { presentGateSailings } from './read-boat.ts';

type Port = CatalogueRecord['ports'][number];
/** `t` and `language`: in which the staff member reads. */
type Reader = { t: Translate; language: string };

/**
 * Reads the pack of a port on one snapshot, without the parties of sailings whose tag the device has. Tags are computed
 * by the database, which costs a small part of reading the parties.
 */
export async function readGatePack(
  context: Pick<Context, 'db' | 'clock'>,
  { port, language, has = '' }: { port: Port; language: string; has?: string | undefined },
): Promise<GatePack> {
  const now = context.clock.now();
  const reader = { t: textsIn(language), language };
  const settings = await loadWebSettings(context);
  return inSnapshot(context.db, async (tx) => {
    const catalogue = await loadCatalogue(tx);
    const routeIds = catalogue.routes.flatMap(({ id, originPortId }) =>
      originPortId === port.id ? [id] : [],
    );
    const timetable = await listTimetable(tx, routeIds, getGateHours(now.getTime()));
    const ids = timetable.map(({ id }) => id);
    const tags = await tagParties(tx, ids, language);
    const unchanged = new Set(has.split(','));
    const changed = tags.flatMap(({ tag, sailing_id }) => (unchanged.has(tag) ? [] : [sailing_id]));
    return {
      as_of: now.toISOString(),
      port: { id: port.id, code: port.code, name: translateTexts(port, language).name },
      keys: await listTicketKeys({ db: tx, clock: context.clock }),
      sailings: await presentGateSailings(tx, timetable, language),
      tags,
      parties: await readParties(tx, changed, { reader, catalogue }),
      fares: await readGateFares(tx, { settings, catalogue, timetable, language, now }),
    };
  });
}

/** What is read of a ticket. Everything that may change here changes the tag of its sailing. */
const SOLD = {
  ticket: {
    id: tickets.id,
    boardingCode: tickets.boardingCode,
    kind: tickets.kind,
    status: tickets.status,
    partyIndex: tickets.partyIndex,
    sailingId: tickets.sailingId,
    issuedAt: tickets.issuedAt,
  },
  line: {
    id: orderLines.id,
    kind: orderLines.kind,
    item: orderLines.item,
    description: orderLines.description,
    typeCode: orderLines.typeCode,
    vehicle: orderLines.vehicle,
    plate: orderLines.plate,
  },
  order: {
    reference: orders.reference,
    contactName: orders.contactName,
    contactPhone: orders.contactPhone,
    travelerNames: orders.travelerNames,
    assistance: orders.assistance,
    vehicle: orders.vehicle,
    plate: orders.plate,
    mayTravelLater: sql<boolean>`coalesce(${orders.farePolicy} ->> 'no_show' = 'travel_next_same_day', false)`,
  },
  route: { needsPassengerList: routes.needsPassengerList },
  /** Null: not entered. */
  details: { orderId: passengerDetails.orderId },
  boarding: getTableColumns(ticketBoardings),
};

type Row<Table extends PgTable, Fields> = Pick<
  Table['$inferSelect'],
  keyof Fields & keyof Table['$inferSelect']
>;

type Sold = {
  ticket: Row<typeof tickets, (typeof SOLD)['ticket']>;
  line: Row<typeof orderLines, (typeof SOLD)['line']>;
  order: Row<typeof orders, (typeof SOLD)['order']> & { mayTravelLater: boolean };
  route: Row<typeof routes, (typeof SOLD)['route']>;
  details: { orderId: string | null } | null;
  boarding: typeof ticketBoardings.$inferSelect | null;
};

const hasDetails = and(
  eq(passengerDetails.orderId, tickets.orderId),
  eq(passengerDetails.traveler, tickets.partyIndex),
);

/** Characters of a tag: 66 bits, so that tags of different contents differ. */
const TAG_LENGTH = 11;

/** A tag for the parties of each sailing with tickets. */
async function tagParties(
  db: Database,
  sailingIds: readonly string[],
  language: string,
): Promise<GatePack['tags']> {
  if (sailingIds.length === 0) return [];
  const fields = sql.join(Object.values(SOLD).flatMap<SQLWrapper>(Object.values), sql`, `);
  const content = sql`string_agg(row(${fields})::text, '' order by ${tickets.id})`;
  const digest = sql`sha256(convert_to(${language} || ${content}, 'UTF8'))`;
  return db
    .select({
      sailing_id: tickets.sailingId,
      tag: sql<string>`translate(left(encode(${digest}, 'base64'), ${TAG_LENGTH}::int), '+/', '-_')`,
    })
    .from(tickets)
    .innerJoin(orders, eq(orders.id, tickets.orderId))
    .innerJoin(orderLines, eq(orderLines.id, tickets.lineId))
    .innerJoin(sailings, eq(sailings.id, tickets.sailingId))
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .leftJoin(passengerDetails, hasDetails)
    .leftJoin(ticketBoardings, eq(ticketBoardings.ticketId, tickets.id))
    .where(inArray(tickets.sailingId, [...sailingIds]))
    .groupBy(tickets.sailingId)
    .orderBy(tickets.sailingId);
}

/** The parties of sailings with all their tickets, also canceled and replaced ones, whose codes are still genuine. */
async function readParties(
  db: Database,
  sailingIds: readonly string[],
  { reader, catalogue }: { reader: Reader; catalogue: Pick<CatalogueRecord, 'passengerTypes'> },
): Promise<GateParty[]> {
  if (sailingIds.length === 0) return [];
  const rows: Sold[] = await db
    .select(SOLD)
    .from(tickets)
    .innerJoin(orders, eq(orders.id, tickets.orderId))
    .innerJoin(orderLines, eq(orderLines.id, tickets.lineId))
    .innerJoin(sailings, eq(sailings.id, tickets.sailingId))
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .leftJoin(passengerDetails, hasDetails)
    .leftJoin(ticketBoardings, eq(ticketBoardings.ticketId, tickets.id))
    .where(inArray(tickets.sailingId, [...sailingIds]))
    .orderBy(orders.reference, tickets.sailingId, tickets.partyIndex);
  const names = await readSoldNames(db);
  const needProof = new Set(
    catalogue.passengerTypes.flatMap(({ code, requiresProof }) => (requiresProof ? [code] : [])),
  );
  const parties = Map.groupBy(rows, ({ order, ticket }) => `${order.reference} ${ticket.sailingId}`);
  return [...parties.values()].flatMap((sold) => {
    const [first] = sold;
    return first ? [presentParty(first, sold, { ...reader, names, needProof })] : [];
  });
}

type PartyReader = Reader & { names: SoldNames; needProof: ReadonlySet<string> };

function presentParty(
  { order, ticket: { sailingId, issuedAt } }: Sold,
  sold: readonly Sold[],
  reader: PartyReader,
): GateParty {
  const line = sold.find(({ ticket }) => ticket.kind === 'vehicle')?.line;
  const vehicle = line ? (line.vehicle ?? order.vehicle) : null;
  return {
    reference: order.reference,
    sailing_id: sailingId,
    contact_name: order.contactName,
    phone: order.contactPhone,
    vehicle: vehicle && {
      plate: line?.plate ?? order.plate ?? '',
      length_cm: vehicle.length_cm === undefined ? null : vehicle.length_cm + (vehicle.trailer_cm ?? 0),
      height_cm: vehicle.height_cm ?? null,
    },
    may_travel_later: order.mayTravelLater,
    sold_at: issuedAt.toISOString(),
    tickets: sold.map((each) => presentTicket(each, reader)),
  };
}

function presentTicket(
  { ticket, line, order, route, details, boarding }: Sold,
  { t, language, names, needProof }: PartyReader,
): GateTicket {
  const asked = order.assistance?.travelers.find(({ traveler }) => traveler === ticket.partyIndex);
  return {
    id: ticket.id,
    code: ticket.boardingCode,
    kind: ticket.kind,
    title: titleTicket(
      t,
      { lineId: line.id },
      { lines: [{ ...names.translateLine(line, language), plate: null }], plate: null },
    ),
    name: findTravelerName(order.travelerNames, ticket) ?? null,
    status: ticket.status,
    needs_proof: needProof.has(line.typeCode ?? ''),
    assistance: ticket.kind === 'passenger' && asked ? describeNeeds(t, asked) : '',
    ...(ticket.kind === 'passenger' && route.needsPassengerList && details === null
      ? { lacks_details: true as const }
      : {}),
    boarding: boarding && {
      sailing_id: boarding.sailingId,
      at: boarding.boardedAt.toISOString(),
      device: boarding.device,
      times: boarding.times,
    },
  };
}
