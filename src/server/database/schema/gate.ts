import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { QUEUE_STATUSES } from '#contract/gate/queue/schemas.ts';
import { MEASUREMENT_OUTCOMES } from '#contract/gate/vehicles/schemas.ts';
import type { Party } from '#domain/fares/fare-book.ts';
import { amount, id, instant, references } from './columns.ts';
import { tickets } from './sales.ts';
import { staffMembers } from './staff.ts';
import { RESOURCES, sailings, voyages } from './timetable.ts';

/**
 * What happened at gates, as their devices reported it: late, in any order, and never changed. A ticket is aboard if
 * `foldBoarding` says so of all its events.
 */
export const gateEvents = pgTable(
  'gate_events',
  {
    /** Made by the device. */
    id: id().primaryKey(),
    type: text('type', { enum: ['board', 'leave', 'undo', 'count', 'print', 'measure'] }).notNull(),
    /** The sailing of the boat at the gate. */
    sailingId: references('sailing_id', () => sailings.id, { onDelete: 'cascade' }),
    device: text('device').notNull(),
    /** Null: by the server, when a boat with passengers aboard is canceled, or by the demo's staff, who were removed. */
    staffId: id('staff_id').references(() => staffMembers.id),
    /** Whose session delivered it, if it was not their own; null: their own. */
    sentBy: id('sent_by').references(() => staffMembers.id),
    /** By the device's corrected clock. */
    occurredAt: instant('occurred_at').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** The event that an `undo` takes back. It may arrive later, so it is not a foreign key. */
    undoes: text('undoes'),
    /** People without tickets that a `count` adds. */
    people: integer('people'),
    /** Why a refused ticket was let aboard. */
    override: text('override'),
  },
  (table) => [
    index('gate_events_by_sailing').on(table.sailingId),
    index('gate_events_undone').on(table.undoes).where(sql`undoes is not null`),
    check('gate_events_undo', sql`(${table.type} = 'undo') = (${table.undoes} is not null)`),
    check('gate_events_count', sql`(${table.type} = 'count') = (${table.people} is not null)`),
  ],
);

/** The tickets of an event. */
export const gateEventTickets = pgTable(
  'gate_event_tickets',
  {
    eventId: references('event_id', () => gateEvents.id, { onDelete: 'cascade' }),
    ticketId: references('ticket_id', () => tickets.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.ticketId] }),
    index('gate_event_tickets_by_ticket').on(table.ticketId),
  ],
);

/** The tickets that are aboard, which follows from their events. */
export const ticketBoardings = pgTable(
  'ticket_boardings',
  {
    ticketId: references('ticket_id', () => tickets.id, { onDelete: 'cascade' }).primaryKey(),
    sailingId: references('sailing_id', () => sailings.id, { onDelete: 'cascade' }),
    device: text('device').notNull(),
    boardedAt: instant('boarded_at').notNull(),
    /** More than one if devices without a connection admitted it. */
    times: integer('times').notNull(),
  },
  (table) => [index('ticket_boardings_by_sailing').on(table.sailingId)],
);

/** Places of passengers who did not come, which went back on sale when check-in closed. */
export const freedPlaces = pgTable(
  'freed_places',
  {
    ticketId: references('ticket_id', () => tickets.id, { onDelete: 'cascade' }),
    resource: text('resource', { enum: RESOURCES }).notNull(),
    amount: integer('amount').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ticketId, table.resource] }),
    check('freed_places_positive', sql`${table.amount} > 0`),
  ],
);

/**
 * Parties without tickets that wait for a boat, in the order of arrival. A row stays with its boat: who is left behind
 * gets another one for the next boat, so that it can be counted how many each boat left behind.
 */
export const queueEntries = pgTable(
  'queue_entries',
  {
    id: id().primaryKey(),
    sailingId: references('sailing_id', () => sailings.id, { onDelete: 'cascade' }),
    /** Also of the boats that left it behind. */
    arrivedAt: instant('arrived_at').notNull(),
    /** The entry for the boat that left it behind. */
    movedFrom: text('moved_from'),
    status: text('status', { enum: QUEUE_STATUSES }).notNull(),
    party: jsonb('party').$type<Party>().notNull(),
    /** The request that sold it tickets, so that it continues the same sale when it is repeated. */
    sale: text('sale'),
    /** Of the party. */
    people: integer('people').notNull(),
    vehicles: integer('vehicles').notNull(),
    plate: text('plate'),
    label: text('label').notNull(),
    phone: text('phone').notNull(),
    insertedAt: instant('inserted_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('queue_entries_by_sailing').on(table.sailingId),
    unique('queue_entries_moved_once').on(table.movedFrom),
    index('queue_entries_with_contact')
      .on(table.insertedAt)
      .where(sql`plate is not null or label <> '' or phone <> ''`),
    check('queue_entries_people', sql`${table.people} > 0 and ${table.vehicles} >= 0`),
  ],
);

/** What gates measured. The measured size of a vehicle that was larger than booked is on its line too. */
export const vehicleMeasurements = pgTable(
  'vehicle_measurements',
  {
    id: id().primaryKey(),
    ticketId: references('ticket_id', () => tickets.id, { onDelete: 'cascade' }),
    sailingId: references('sailing_id', () => sailings.id, { onDelete: 'cascade' }),
    /** Not a foreign key, so that the demo's staff can be removed. */
    staffId: id('staff_id').notNull(),
    device: text('device').notNull(),
    /** Null: no size was booked. */
    bookedLengthCm: integer('booked_length_cm'),
    bookedHeightCm: integer('booked_height_cm'),
    lengthCm: integer('length_cm').notNull(),
    heightCm: integer('height_cm'),
    /** Of another vehicle than booked; null: as booked. */
    vehicleType: text('vehicle_type'),
    outcome: text('outcome', { enum: MEASUREMENT_OUTCOMES }).notNull(),
    /** What was paid beyond the booked price. */
    difference: amount('difference').notNull(),
    /** What is to be paid if it is `unpaid`; null: no fare covers it. */
    due: amount('due'),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [
    index('vehicle_measurements_by_ticket').on(table.ticketId),
    index('vehicle_measurements_by_sailing').on(table.sailingId),
    check(
      'vehicle_measurements_difference',
      sql`${table.difference} >= 0 and (${table.outcome} = 'charged' or ${table.difference} = 0)`,
    ),
    index('vehicle_measurements_unpaid').on(table.insertedAt).where(sql`outcome = 'unpaid'`),
  ],
);

/**
 * How many people were aboard when a boat left a port, as its master was told. A trigger refuses changes: a correction is
 * another row.
 */
export const departureCounts = pgTable(
  'departure_counts',
  {
    voyageId: references('voyage_id', () => voyages.id, { onDelete: 'cascade' }),
    /** The index of the port in the voyage's stops. */
    stop: integer('stop').notNull(),
    /** 1, 2, 3 … of this departure; the highest holds. */
    number: integer('number').notNull(),
    countedAt: instant('counted_at').notNull(),
    /** People who boarded at this port with a ticket, by the code of their passenger type. */
    byType: jsonb('by_type').$type<Readonly<Record<string, number>>>().notNull(),
    /** People who boarded at this port without a ticket. */
    unticketed: integer('unticketed').notNull(),
    /** People from earlier ports who stay aboard. */
    through: integer('through').notNull(),
    /** The sum. */
    people: integer('people').notNull(),
  },
  (table) => [primaryKey({ columns: [table.voyageId, table.stop, table.number] })],
);
