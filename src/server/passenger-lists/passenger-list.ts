import { sql } from 'drizzle-orm';
import type { ListedTraveler, PassengerList, TravelerDetails } from '#contract/passenger-lists/schemas.ts';
import type { LineItem } from '#domain/fares/line-item.ts';
import { COMMAND_LANGUAGE } from '#messages/text-locale.ts';
import { titleTicket } from '#sentences/order-lines.ts';
import { recordAudit, type StaffActor } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { textsIn } from '../core/texts.ts';
import { formatCsv } from '../csv/format-table.ts';
import { queryRows } from '../database/database.ts';
import { readSoldNames } from '../database/sold-names.ts';
import { inTransaction } from '../database/transactions.ts';
import { notFound } from '../http/api-error.ts';
import { lockOrder } from '../orders/confirm-order.ts';
import { findBoat, presentBoat, travelersOf } from './listed-boats.ts';
import { readDetails, requireBirthDates, storeDetails } from './traveler-details.ts';

type Dependencies = Pick<Context, 'db' | 'clock' | 'vault'>;
type Reading = { sailingId: string; language: string };

/**
 * The passenger list of a boat at a port: who is aboard when it leaves, and who is expected.
 * @throws {ApiError} not_found
 */
export async function readPassengerList(
  { db, clock, vault }: Dependencies,
  { sailingId, language }: Reading,
): Promise<PassengerList> {
  const boat = await findBoat(db, sailingId);
  if (!boat) throw notFound();
  const { voyageId, firstStop } = boat.sailing;
  const rows = await queryRows<Row>(
    db,
    sql`select t.id, t.boarding_code as code, o.reference, b.ticket_id is not null as "isAboard",
        coalesce(bs.first_stop < ${firstStop}, false) as "isThrough", d.encrypted_details as encrypted,
        l.id as "lineId", l.kind, l.item, l.description, l.type_code as "typeCode"
      ${travelersOf(boat)} order by o.reference, t.party_index, t.id`,
  );
  const [counted] = await queryRows<{ people: number }>(
    db,
    sql`select coalesce(sum(e.people), 0)::int as people from gate_events e join sailings s on s.id = e.sailing_id
      where s.voyage_id = ${voyageId} and s.first_stop = ${firstStop} and e.type = 'count'
        and not exists (select from gate_events u where u.undoes = e.id)`,
  );
  const names = await readSoldNames(db);
  const t = textsIn(language);
  return {
    boat: await presentBoat(db, boat, language),
    travelers: rows.map((row) => {
      const line = names.translateLine({ ...row, id: row.lineId, plate: null }, language);
      return {
        ticket_id: row.id,
        reference: row.reference,
        code: row.code,
        title: titleTicket(t, { lineId: row.lineId }, { lines: [line], plate: null }),
        is_aboard: row.isAboard,
        is_through: row.isThrough,
        details: row.encrypted === null ? null : readDetails(vault, row.encrypted),
      };
    }),
    unticketed: counted?.people ?? 0,
    as_of: clock.now().toISOString(),
  };
}

type Row = {
  id: string;
  code: string;
  reference: string;
  isAboard: boolean;
  isThrough: boolean;
  encrypted: string | null;
  lineId: string;
  kind: string;
  item: LineItem | null;
  description: string;
  typeCode: string | null;
};

/**
 * The people aboard a boat as CSV, for the authority.
 * @returns name: of the file
 * @throws {ApiError} not_found
 */
export async function exportPassengerList(
  context: Dependencies,
  { sailingId, actor }: { sailingId: string; actor: StaffActor },
): Promise<{ name: string; csv: string }> {
  const { db, clock } = context;
  return inTransaction(db, async (tx) => {
    const { boat, travelers } = await readPassengerList(
      { ...context, db: tx },
      { sailingId, language: COMMAND_LANGUAGE },
    );
    const aboard = travelers.filter((traveler) => traveler.is_aboard);
    await recordAudit(
      tx,
      { clock },
      {
        ...{ actor, action: 'passenger_list_exported', objectKind: 'sailing', objectId: sailingId },
        ...{ before: {}, after: { people: aboard.length }, reason: null },
      },
    );
    return {
      name: `passengers-${boat.departs_local.slice(0, 16).replace(':', '')}.csv`,
      csv: writeCsv(aboard),
    };
  });
}

function writeCsv(aboard: readonly ListedTraveler[]): string {
  return formatCsv({
    columns: [
      ...['family_name', 'forenames', 'gender', 'nationality', 'birth_date', 'care', 'emergency_phone'],
      ...['ticket', 'order', 'kind'],
    ],
    rows: aboard.map(({ details, code, reference, title }) => [
      details?.family_name ?? '',
      details?.forenames ?? '',
      details?.gender ?? '',
      details?.nationality ?? '',
      details?.birth_date ?? '',
      details?.care ?? '',
      details?.emergency_phone ?? '',
      ...[code, reference, title],
    ]),
  });
}

type NewDetails = { sailingId: string; ticketId: string; details: TravelerDetails; actor: StaffActor };

/**
 * Stores the details of a traveler on a boat's list.
 * @throws {ApiError} not_found for a ticket that is not on the list; invalid_input for an impossible date of birth
 */
export async function setDetailsAtGate(
  context: Dependencies,
  { sailingId, ticketId, details, actor }: NewDetails,
): Promise<void> {
  const { db, clock } = context;
  await requireBirthDates(context, [details]);
  const boat = await findBoat(db, sailingId);
  if (!boat) throw notFound();
  await inTransaction(db, async (tx) => {
    const [ticket] = await queryRows<{ orderId: string; traveler: number }>(
      tx,
      sql`select t.order_id as "orderId", t.party_index as traveler ${travelersOf(boat)} and t.id = ${ticketId}`,
    );
    if (!ticket || !(await lockOrder(tx, ticket.orderId))) throw notFound();
    await storeDetails(tx, context, { ...ticket, details });
    await recordAudit(
      tx,
      { clock },
      {
        ...{ actor, action: 'passenger_list_changed', objectKind: 'order', objectId: ticket.orderId },
        ...{ before: {}, after: { traveler: ticket.traveler }, reason: null },
      },
    );
  });
}
