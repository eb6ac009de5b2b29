import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DrizzleSnapshotJSON, generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { describe, expect, test } from 'vitest';
import { schema } from '#server/database/schema.ts';

const FOLDER = 'src/server/database/migrations';
const FIRST_MIGRATION = '0000_first-release.sql';

/**
 * What processes of the release before would stumble over, because they run on the tables of the next release: what
 * they read is gone, or what they write is refused.
 */
const REFUSED: readonly [pattern: RegExp, problem: string][] = [
  [/\bdrop (table|column|constraint|index|view|schema|type|trigger|function)\b/, 'drops'],
  [/\brename\b/, 'renames'],
  [/\balter column "?\w+"? (set data )?type\b/, 'changes a type'],
  [/\balter column "?\w+"? (set not null|drop default)\b/, 'refuses rows without a value'],
  [/\badd column (?!.*\bdefault\b).*\bnot null\b/, 'refuses rows without a value'],
  [/\badd constraint .*\b(unique|check|exclude|primary key)\b/, 'refuses rows'],
  [/\bcreate unique index\b/, 'refuses rows'],
  [/^(delete|truncate)\b/, 'deletes rows'],
];

/** The first problem of a migration's statements; null if they only add. */
function findProblem(name: string, text: string): string | null {
  const statements = text
    .replace(/--> statement-breakpoint/g, ';')
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim().toLowerCase());
  const created = statements.flatMap((statement) => /^create table "?(\w+)"?/.exec(statement)?.[1] ?? []);
  for (const statement of statements) {
    const table = / (?:table|on) (?:only )?"?(\w+)"?/.exec(statement)?.[1] ?? '';
    if (created.includes(table)) continue;
    const refused = REFUSED.find(([pattern]) => pattern.test(statement));
    if (refused) return `${name} ${refused[1]}: ${statement.slice(0, 100)}`;
  }
  return null;
}

describe('a migration', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql') && name !== FIRST_MIGRATION);

  test.each(names)('%s only adds, so that processes of the release before go on working', (name) => {
    expect(findProblem(name, read(name))).toBeNull();
  });

  test.each([
    'ALTER TABLE "orders" DROP COLUMN "notice";',
    'ALTER TABLE "orders" RENAME COLUMN "notice" TO "note";',
    'ALTER TABLE "orders"\n  ALTER COLUMN "notice" SET DATA TYPE jsonb;',
    'ALTER TABLE "orders" ALTER COLUMN "notice" SET NOT NULL;',
    'ALTER TABLE "orders" ADD COLUMN "place" text NOT NULL;--> statement-breakpoint\nCREATE TABLE "places" ();',
    'ALTER TABLE "orders" ADD CONSTRAINT "one_notice" UNIQUE("notice");',
    'CREATE UNIQUE INDEX "one_notice" ON "orders" USING btree ("notice");',
    'DROP TABLE "orders" CASCADE;',
  ])('is refused with %s', (statement) => {
    expect(findProblem('0099_next.sql', statement)).not.toBeNull();
  });

  test('may add tables with their constraints, columns with a default or without a value, and indexes', () => {
    const statements = [
      'CREATE TABLE "places" ("id" text PRIMARY KEY NOT NULL)',
      'CREATE UNIQUE INDEX "places_by_id" ON "places" USING btree ("id")',
      'ALTER TABLE "orders" ADD COLUMN "place" text',
      `ALTER TABLE "orders" ADD COLUMN "kind" text DEFAULT 'none' NOT NULL`,
      'CREATE INDEX "orders_by_place" ON "orders" USING btree ("place")',
      'ALTER TABLE "orders" ALTER COLUMN "notice" DROP NOT NULL',
    ];
    expect(findProblem('0099_next.sql', statements.join(';--> statement-breakpoint\n'))).toBeNull();
  });
});

test('the migrations make the tables of the schema, and only the newest snapshot is kept', async () => {
  const { entries }: { entries: { idx: number }[] } = JSON.parse(read('meta/_journal.json'));
  const newest = `${String(entries.at(-1)?.idx).padStart(4, '0')}_snapshot.json`;
  expect(readdirSync(join(FOLDER, 'meta')).sort()).toEqual([newest, '_journal.json']);
  const migrated: DrizzleSnapshotJSON = JSON.parse(read(`meta/${newest}`));
  const defined = generateDrizzleJson(schema, migrated.id) as DrizzleSnapshotJSON;
  expect(await generateMigration(migrated, defined)).toEqual([]);
});

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}
