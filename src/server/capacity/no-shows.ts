import { and, eq, inArray, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '../database/database.ts';
import { freedPlaces } from '../database/schema/gate.ts';
import { lineCapacity, tickets } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import type { Places } from './places.ts';
import { returnSoldPlaces, takeSoldPlaces } from './ticket-places.ts';

/**
 * What a gate tells of a sailing, `s`. A departure closes check-in too, but may be recorded by staff who are not at the gate.
 */
export const GATE_REPORTS = sql`
  ${hasEvent('board')} or exists (select from tickets where sailing_id = s.id and status = 'boarded') as is_scanned,
  coalesce(s.check_in_closed_at < coalesce(s.departed_at, 'infinity'), false) as is_closed,
  ${hasEvent('print')} as is_printed`;

/**
 * Whether it is known who came to a boat, from the `GATE_REPORTS` of its sailings, `o`: its gate has scanned tickets, or
 * closed check-in without having printed a list. `among`: which rows are sailings of the boat.
 */
export function knowsWhoCame(among = sql``): SQL {
  const any = (column: string) => sql`bool_or(${sql.raw(`o.${column}`)}) ${among}`;
  return sql`(${any('is_scanned')} or ${any('is_closed')} and not ${any('is_printed')})`;
}

/**
 * Marks those who did not come to a boat whose check-in is closed, and puts their places back on sale. Takes this back
 * while it is not known who came, and the places of those who boarded all the same. The caller holds locks of the boat's
 * sailings and orders.
 */
export async function settleNoShows(tx: Database, sailingIds: readonly string[]): Promise<void> {
  const ids = JSON.stringify(sailingIds);
  const [boat] = await queryRows<{ isKnown: boolean | null }>(
    tx,
    sql`
    select ${knowsWhoCame()} as "isKnown" from (
      select ${GATE_REPORTS} from sailings s where s.id in (select jsonb_array_elements_text(${ids}::jsonb))
    ) o`,
  );
  if (boat?.isKnown) await freePlaces(tx, sailingIds);
  await takeBackPlaces(tx, sailingIds, boat?.isKnown ? ['boarded'] : undefined);
}

/** Tickets that the ramp sold after check-in was closed may board until the departure. */
async function freePlaces(tx: Database, sailingIds: readonly string[]): Promise<void> {
  await tx
    .update(tickets)
    .set({ status: 'no_show' })
    .from(sailings)
    .where(
      and(
        eq(sailings.id, tickets.sailingId),
        inArray(tickets.sailingId, [...sailingIds]),
        inArray(tickets.status, ['issued', 'checked_in']),
        or(lte(tickets.issuedAt, sailings.checkInClosedAt), isNotNull(sailings.departedAt)),
      ),
    );
  // Also those who were aboard and left the boat.
  const shares = await queryRows<TicketPlaces>(
    tx,
    sql`
    select t.id as "ticketId", p.line_id as "lineId", p.sailing_id as "sailingId", p.resource,
      p.amount / (select count(*)::int from tickets o where o.line_id = p.line_id
        and o.status not in ('canceled', 'replaced')
        and not exists (select from freed_places f where f.ticket_id = o.id)) as amount
    from tickets t join line_capacity p on p.line_id = t.line_id
    where t.sailing_id in (select jsonb_array_elements_text(${JSON.stringify(sailingIds)}::jsonb)) and t.status = 'no_show'
      and not exists (select from freed_places f where f.ticket_id = t.id)
    order by t.id`,
  );
  const freed = shares.filter(({ amount }) => amount > 0);
  if (freed.length === 0) return;
  await tx
    .insert(freedPlaces)
    .values(freed.map(({ ticketId, resource, amount }) => ({ ticketId, resource, amount })));
  for (const share of freed) await addToLine(tx, share, -share.amount);
  await returnSoldPlaces(tx, freed);
}

/**
 * Passengers whose places were freed have them again, unless these were sold: those who did not come, who then stay marked as
 * missing, and those who boarded all the same.
 */
export async function takeBackPlaces(
  tx: Database,
  sailingIds: readonly string[],
  statuses: readonly ('no_show' | 'boarded')[] = ['no_show', 'boarded'],
): Promise<void> {
  const freed = await tx
    .select({ id: tickets.id, status: tickets.status })
    .from(tickets)
    .where(
      and(
        inArray(tickets.sailingId, [...sailingIds]),
        inArray(tickets.status, [...statuses]),
        // A ticket may also board a later boat.
        or(eq(tickets.status, 'no_show'), HAS_FREED_PLACES_ABOARD),
      ),
    )
    .orderBy(tickets.orderId, tickets.partyIndex);
  for (const { id, status } of freed) {
    const places = await queryRows<TicketPlaces>(
      tx,
      sql`
      select f.ticket_id as "ticketId", t.line_id as "lineId", t.sailing_id as "sailingId", f.resource, f.amount
      from freed_places f join tickets t on t.id = f.ticket_id
      where f.ticket_id = ${id}`,
    );
    if (places.length > 0 && !(await takeSoldPlaces(tx, places))) continue;
    for (const place of places) await addToLine(tx, place, place.amount);
    await tx.delete(freedPlaces).where(eq(freedPlaces.ticketId, id));
    if (status === 'no_show') await tx.update(tickets).set({ status: 'issued' }).where(eq(tickets.id, id));
  }
}

const HAS_FREED_PLACES_ABOARD = sql`exists (select from freed_places f where f.ticket_id = ${tickets}.id)
  and exists (select from ticket_boardings b where b.ticket_id = ${tickets}.id and b.sailing_id = ${tickets}.sailing_id)`;

/** What one ticket takes of a resource, from its line. */
type TicketPlaces = Places & { ticketId: string; lineId: string };

async function addToLine(tx: Database, { lineId, resource }: TicketPlaces, amount: number): Promise<void> {
  await tx
    .update(lineCapacity)
    .set({ amount: sql`${lineCapacity.amount} + ${amount}` })
    .where(and(eq(lineCapacity.lineId, lineId), eq(lineCapacity.resource, resource)));
}

function hasEvent(type: 'board' | 'print'): SQL {
  return sql`exists (select from gate_events where sailing_id = s.id and type = ${sql.raw(`'${type}'`)})`;
}
