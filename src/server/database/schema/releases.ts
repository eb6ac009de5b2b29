import { boolean, customType, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** Every release of the web app that a process ran lately. */
export const releases = pgTable('releases', {
  version: text('version').primaryKey(),
  /** Of several releases that run side by side, visitors get the one that was seen first most recently. */
  firstSeenAt: instant('first_seen_at').notNull(),
  /** When a process was last known to run it, to the hour. */
  lastRunAt: instant('last_run_at').notNull(),
  /** Paths of all its files. */
  paths: text('paths').array().notNull(),
  /** Path patterns of its screens by host. */
  screens: jsonb('screens').$type<Record<'tickets' | 'portal', string[]>>().notNull(),
});

/** Built files of those releases; one that did not change is shared by several. */
export const releaseFiles = pgTable('release_files', {
  path: text('path').primaryKey(),
  content: bytes('content').notNull(),
  /** Whether the content is compressed with Brotli. */
  isCompressed: boolean('is_compressed').notNull(),
});

/** The worker script and the documents it keeps, as a process of the release composed them last. */
export const releaseDocuments = pgTable(
  'release_documents',
  {
    version: text('version')
      .notNull()
      .references(() => releases.version, { onDelete: 'cascade' }),
    host: text('host', { enum: ['tickets', 'portal'] }).notNull(),
    path: text('path').notNull(),
    /** Of the data it was composed from: documents made of the same data are not written again. */
    fingerprint: text('fingerprint').notNull(),
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    content: text('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.version, table.host, table.path] })],
);

/** Server processes that are running; one that stopped without a word is known by an old `seenAt`. */
export const runningProcesses = pgTable(
  'running_processes',
  {
    id: text('id').primaryKey(),
    version: text('version')
      .notNull()
      .references(() => releases.version, { onDelete: 'cascade' }),
    seenAt: instant('seen_at').notNull(),
  },
  (table) => [index('running_processes_by_version').on(table.version, table.seenAt)],
);
