import { boolean, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Host } from '#contract/hosts.ts';
import { bytes, instant } from './columns.ts';

/** Every release of the web app that a process ran recently. */
export const releases = pgTable('releases', {
  version: text('version').primaryKey(),
  /** If several releases run side by side, visitors get the one with the latest first start. */
  firstSeenAt: instant('first_seen_at').notNull(),
  /** When a process last ran it, to the hour. */
  lastRunAt: instant('last_run_at').notNull(),
  /** Paths of all its files. */
  paths: text('paths').array().notNull(),
  /** Path patterns of its screens by host. An older release may lack a host. */
  screens: jsonb('screens').$type<Partial<Record<Host, string[]>>>().notNull(),
});

/** Built files of those releases; releases share unchanged files. */
export const releaseFiles = pgTable('release_files', {
  path: text('path').primaryKey(),
  content: bytes('content').notNull(),
  /** Whether the content is compressed with Brotli. */
  isCompressed: boolean('is_compressed').notNull(),
});

/** The worker script and the documents it caches, as last rendered by a process of the release. */
export const releaseDocuments = pgTable(
  'release_documents',
  {
    version: text('version')
      .notNull()
      .references(() => releases.version, { onDelete: 'cascade' }),
    host: text('host').$type<Host>().notNull(),
    path: text('path').notNull(),
    /** Of the source data; documents of unchanged data are not written again. */
    fingerprint: text('fingerprint').notNull(),
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    content: text('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.version, table.host, table.path] })],
);

/** Running server processes; one that ended without a shutdown is detected by an old `seenAt`. */
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
