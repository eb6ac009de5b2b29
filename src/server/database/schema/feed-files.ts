import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { FileChange } from '#contract/desk/timetable/schemas.ts';
import { id, instant } from './columns.ts';
import { feed } from './timetable.ts';

/** The files last imported, so that any process can generate the sailings of further days. */
export const feedArchives = pgTable('feed_archives', {
  name: text('name')
    .primaryKey()
    .references(() => feed.name),
  /** The files as one zip archive, in base64. */
  zip: text('zip').notNull(),
});

/**
 * The last changes of the files by people, each with the files as they were before it, so that it can be taken back. There
 * is none for the first import.
 */
export const feedChanges = pgTable(
  'feed_changes',
  {
    id: id().primaryKey(),
    insertedAt: instant('inserted_at').notNull(),
    /** Who made it: a staff member, or the system user of a command. Not a foreign key, because changes stay. */
    staffId: id('staff_id'),
    systemUser: text('system_user'),
    /** The files that it changed; null: a command replaced them all. */
    files: jsonb('files').$type<FileChange[]>(),
    /** When the change was made that it took back; null: it took none back. */
    takesBack: instant('takes_back'),
    /** The files before it as one zip archive, in base64. */
    zipBefore: text('zip_before').notNull(),
  },
  (table) => [index('feed_changes_by_time').on(table.insertedAt)],
);
