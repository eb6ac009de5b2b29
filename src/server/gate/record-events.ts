import { and, eq, inArray, sql } from 'drizzle-orm';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { countFarePeople } from '#domain/boarding/decide-fare.ts';
import { foldBoarding, type TicketEvent } from '#domain/boarding/fold-boarding.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import { settleNoShows } from '#server/capacity/no-shows.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { gateEvents, gateEventTickets, ticketBoardings } from '#server/database/schema/gate.ts';
import { orders, tickets } from '#server/database/schema/sales.ts';
import { staffMembers } from '#server/database/schema/staff.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { takeOffCanceledBoats } from '#server/sailings/exceptions/take-off-canceled-boats.ts';
import { lockOrders } from './boats.ts';
import { recordFares } from './fares/record-fares.ts';
import { findOverriders } from './override-proofs.ts';
import { correctDepartures } from './people-aboard.ts';
import { noteMeasurement } from './vehicles/late-measurements.ts';

/** `actor`: who sends them. */
type Batch = { events: readonly GateEvent[]; actor: StaffActor };
/** Ids of tickets that were admitted more than once, and of tickets and sailings that do not exist. */
type Outcome = { twice: string[]; unknown: string[] };

/**
 * Stores what devices report. An event that is stored already, a late one and a batch in another order lead to the same
 * state. An event about a sailing that does not exist is dropped, because a repetition would not help. Events of a boat that
 * has departed may correct the number of people aboard. Tickets of a canceled boat do not stay boarded.
 * @throws {ApiError} not_permitted, for an override without the proof of a session that may; then nothing is stored
 */
export async function recordGateEvents(
  context: Pick<Context, 'db' | 'clock' | 'jobs' | 'vault'>,
  { events, actor }: Batch,
): Promise<Outcome> {
  const { db, clock, jobs } = context;
  const now = clock.now();
  const outcome = await inTransaction(db, async (tx) => {
    const stored = await lockSailings(tx, events);
    const valid = events.filter(({ sailing_id }) => stored.has(sailing_id));
    const overriders = await findOverriders(tx, context, valid);
    const added = await storeEvents(tx, { events: valid, actor, now, overriders });
    const named = await storeTickets(tx, added);
    const undone = await findTicketsOf(
      tx,
      added.flatMap((event) => (event.type === 'undo' ? [event.event_id] : [])),
    );
    const changed = [...new Set([...named.stored, ...undone])].toSorted();
    const closed = await findClosedBoats(tx, added);
    await lockOrders(tx, { sailingIds: closed.flat(), ticketIds: changed });
    await updateBoardings(tx, changed);
    for (const sailingIds of closed) await settleNoShows(tx, sailingIds);
    await takeOffCanceledBoats(tx, { ids: added.map((event) => event.sailing_id), now });
    await recordFares(tx, context, { events, actor });
    await correctDepartures(tx, { clock }, { sailingIds: added.map((event) => event.sailing_id), actor });
    for (const event of added) {
      if (event.type === 'print') await recordPrint(tx, { clock }, { objectId: event.sailing_id, actor });
      if (event.type === 'measure') await noteMeasurement(tx, { clock }, event);
    }
    return { twice: await findTwice(tx, changed), unknown: named.unknown };
  });
  wakeMailWorker(jobs);
  return outcome;
}

/** What is printed names people. The device may report it late. */
async function recordPrint(
  tx: Database,
  context: Pick<Context, 'clock'>,
  view: { objectId: string; actor: StaffActor },
): Promise<void> {
  const entry = { action: 'paper_list_printed', objectKind: 'sailing', reason: null } as const;
  await recordAudit(tx, context, { ...entry, ...view, before: {}, after: {} });
}

/** Stores the events that are not stored yet, and returns them. */
async function storeEvents(
  tx: Database,
  {
    events,
    actor: { staffId },
    now,
    overriders,
  }: Batch & { now: Date; overriders: ReadonlyMap<string, string> },
): Promise<GateEvent[]> {
  if (events.length === 0) return [];
  const people = await findExisting(
    tx,
    staffMembers,
    events.flatMap(({ staff_id }) => staff_id ?? []),
  );
  const findPerson = ({ id, staff_id }: GateEvent) =>
    overriders.get(id) ?? (staff_id !== undefined && people.has(staff_id) ? staff_id : staffId);
  const inserted = await tx
    .insert(gateEvents)
    .values(
      events.map((event) => ({
        ...{
          id: event.id,
          type: event.type === 'fare' ? 'count' : event.type,
          sailingId: event.sailing_id,
          device: event.device,
        },
        staffId: findPerson(event),
        sentBy: findPerson(event) === staffId ? null : staffId,
        occurredAt: new Date(event.occurred_at),
        receivedAt: now,
        undoes: event.type === 'undo' ? event.event_id : null,
        people: countUnticketed(event),
        override: (event.type === 'board' && event.override) || null,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: gateEvents.id });
  const ids = new Set(inserted.map(({ id }) => id));
  return events.filter(({ id }) => ids.delete(id));
}

/** The people without tickets of an event: those of a fare are stored as counted. */
function countUnticketed(event: GateEvent): number | null {
  if (event.type === 'fare') return countFarePeople(event.passengers);
  return event.type === 'count' ? event.people : null;
}

/** The boats whose check-in is closed and whose gate has said now who came, or printed a list, each as its sailings. */
async function findClosedBoats(tx: Database, events: readonly GateEvent[]): Promise<string[][]> {
  const ids = events.flatMap(({ type, sailing_id }) =>
    type === 'count' || type === 'fare' || type === 'measure' ? [] : [sailing_id],
  );
  const rows = await queryRows<{ sailingIds: string[] }>(
    tx,
    sql`
    select array_agg(id order by id) as "sailingIds" from sailings
    where (voyage_id, first_stop) in (
        select voyage_id, first_stop from sailings
        where id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
      ) and check_in_closed_at is not null and status = 'scheduled'
    group by voyage_id, first_stop order by 1`,
  );
  return rows.map(({ sailingIds }) => sailingIds);
}

/** Stores which tickets events are about; those of a party are looked up. */
async function storeTickets(
  tx: Database,
  events: readonly GateEvent[],
): Promise<{ stored: string[]; unknown: string[] }> {
  const rows: (typeof gateEventTickets.$inferInsert)[] = [];
  for (const event of events) {
    if (event.type !== 'board' && event.type !== 'leave') continue;
    const ofParty = event.type === 'board' && event.party ? await listPartyTickets(tx, event.party) : [];
    const ids = new Set([...event.tickets, ...ofParty]);
    rows.push(...[...ids].map((ticketId) => ({ eventId: event.id, ticketId })));
  }
  const existing = await findExisting(
    tx,
    tickets,
    rows.map(({ ticketId }) => ticketId),
  );
  const stored = rows.filter(({ ticketId }) => existing.has(ticketId));
  if (stored.length > 0) await tx.insert(gateEventTickets).values(stored).onConflictDoNothing();
  return {
    stored: stored.map(({ ticketId }) => ticketId),
    unknown: rows.flatMap(({ ticketId }) => (existing.has(ticketId) ? [] : [ticketId])),
  };
}

async function listPartyTickets(
  tx: Database,
  { reference, sailing_id }: { reference: string; sailing_id: string },
): Promise<string[]> {
  const rows = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .innerJoin(orders, eq(orders.id, tickets.orderId))
    .where(
      and(
        eq(orders.reference, reference),
        eq(tickets.sailingId, sailing_id),
        sql`${tickets.status} not in ('canceled', 'replaced')`,
      ),
    );
  return rows.map(({ id }) => id);
}

/** Locked against a departure at the same time, which would not count what is stored here. */
async function lockSailings(tx: Database, events: readonly GateEvent[]): Promise<ReadonlySet<string>> {
  const ids = events.map(({ sailing_id }) => sailing_id);
  const rows = await tx
    .select({ id: sailings.id })
    .from(sailings)
    .where(inArray(sailings.id, ids))
    .orderBy(sailings.id)
    .for('share');
  return new Set(rows.map(({ id }) => id));
}

async function findExisting(
  tx: Database,
  table: typeof tickets | typeof staffMembers,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(inArray(table.id, [...ids]));
  return new Set(rows.map(({ id }) => id));
}

async function findTicketsOf(tx: Database, eventIds: readonly string[]): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const rows = await tx
    .select({ ticketId: gateEventTickets.ticketId })
    .from(gateEventTickets)
    .where(inArray(gateEventTickets.eventId, [...eventIds]));
  return rows.map(({ ticketId }) => ticketId);
}

/** Brings tickets to the state that follows from all their events. The caller locks their orders. */
async function updateBoardings(tx: Database, ticketIds: readonly string[]): Promise<void> {
  if (ticketIds.length === 0) return;
  const ids = [...ticketIds];
  const events = await readEvents(tx, ids);
  const boarded = ids.flatMap((ticketId) => {
    const boarding = foldBoarding(events.get(ticketId) ?? []);
    return boarding ? [{ ticketId, ...boarding }] : [];
  });
  await tx.delete(ticketBoardings).where(inArray(ticketBoardings.ticketId, ids));
  if (boarded.length > 0) {
    await tx
      .insert(ticketBoardings)
      .values(boarded.map(({ at, ...boarding }) => ({ ...boarding, boardedAt: new Date(at) })));
  }
  await tx.execute(sql`
    update tickets t set status = case
      when b.ticket_id is not null then 'boarded'
      when t.issued_at < s.check_in_closed_at then 'no_show'
      else 'issued' end
    from tickets old
    join sailings s on s.id = old.sailing_id
    left join ticket_boardings b on b.ticket_id = old.id
    where t.id = old.id and t.id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
      and t.status in ('issued', 'checked_in', 'boarded', 'no_show')
      and (b.ticket_id is not null) <> (t.status = 'boarded')`);
}

type EventRow = Omit<TicketEvent, 'at'> & { ticketId: string; at: Date };

async function readEvents(tx: Database, ticketIds: readonly string[]): Promise<Map<string, TicketEvent[]>> {
  const rows = await queryRows<EventRow>(
    tx,
    sql`
    select et.ticket_id as "ticketId", e.id, e.type, e.device, e.occurred_at as at,
      case when own.voyage_id = s.voyage_id then own.id else s.id end as "sailingId",
      exists (select from gate_events u where u.undoes = e.id) as "isUndone"
    from gate_event_tickets et
    join gate_events e on e.id = et.event_id
    join sailings s on s.id = e.sailing_id
    join tickets t on t.id = et.ticket_id
    join sailings own on own.id = t.sailing_id
    where et.ticket_id in (select jsonb_array_elements_text(${JSON.stringify(ticketIds)}::jsonb))`,
  );
  const events = rows.map(({ at, ...row }) => ({ ...row, at: new Date(at).getTime() }));
  return Map.groupBy(events, ({ ticketId }) => ticketId);
}

async function findTwice(tx: Database, ticketIds: readonly string[]): Promise<string[]> {
  if (ticketIds.length === 0) return [];
  const rows = await tx
    .select({ ticketId: ticketBoardings.ticketId })
    .from(ticketBoardings)
    .where(and(inArray(ticketBoardings.ticketId, [...ticketIds]), sql`${ticketBoardings.times} > 1`));
  return rows.map(({ ticketId }) => ticketId);
}
