import { sql } from 'drizzle-orm';
import { check, date, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { EXCEPTION_KINDS, EXCEPTION_REASONS } from '#contract/sailings/exceptions.ts';
import { id, instant, translations } from './columns.ts';
import { ports, vessels } from './timetable.ts';

const EXCEPTION_SOURCES = ['file', 'staff', 'realtime'] as const;

/**
 * What differs from the timetable on some days. Kept beside the imported timetable, so that it survives every import.
 * An exception applies to all sailings that match its conditions; a null condition matches every sailing.
 */
export const sailingExceptions = pgTable(
  'sailing_exceptions',
  {
    id: id().primaryKey(),
    /** A file, and a poll of live data, replaces the exceptions of its source. */
    source: text('source', { enum: EXCEPTION_SOURCES }).notNull(),
    kind: text('kind', { enum: EXCEPTION_KINDS }).notNull(),
    /** Service days, both inclusive. */
    fromDay: date('from_day', { mode: 'string' }).notNull(),
    untilDay: date('until_day', { mode: 'string' }).notNull(),
    /** `route_id` of the feed. */
    line: text('line'),
    /** `trip_id` of the feed. */
    tripKey: text('trip_key'),
    portId: id('port_id').references(() => ports.id),
    /** Local time of the departure from the port, `HH:MM`; goes with the port. */
    departsLocal: text('departs_local'),
    /**
     * The voyage that was named. While it exists the exception applies to it alone, also when its times change; not a
     * foreign key, because imports delete voyages.
     */
    voyageId: text('voyage_id'),
    /**
     * An extra sailing copies the ports and travel times of this sailing, named by its local departure time at the
     * port, and by its service day if that is not its own.
     */
    likeLocal: text('like_local'),
    likeDay: date('like_day', { mode: 'string' }),
    minutes: integer('minutes').notNull().default(0),
    vesselId: id('vessel_id').references(() => vessels.id),
    reason: text('reason', { enum: EXCEPTION_REASONS }),
    text: text('text').notNull().default(''),
    translations: translations(),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [
    index('sailing_exceptions_by_day').on(table.untilDay),
    check('sailing_exceptions_days', sql`${table.untilDay} >= ${table.fromDay}`),
    // A delay of 0 minutes says that a sailing is on time although another source says that it is late.
    check(
      'sailing_exceptions_minutes',
      sql`${table.minutes} >= 0 and (${table.kind} = 'delayed' or ${table.minutes} = 0)`,
    ),
    check(
      'sailing_exceptions_boat',
      sql`(${table.kind} = 'vessel') = (${table.vesselId} is not null) or ${table.kind} = 'extra'`,
    ),
    check(
      'sailing_exceptions_extra',
      sql`(${table.kind} = 'extra') = (${table.likeLocal} is not null)
        and (${table.likeLocal} is null or (${table.line} is not null and ${table.departsLocal} is not null))`,
    ),
    check('sailing_exceptions_port', sql`${table.departsLocal} is null or ${table.portId} is not null`),
  ],
);
