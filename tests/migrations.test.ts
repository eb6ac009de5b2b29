import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

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

/** Statements that the release before was checked to work with, or that need a stop, by migration and what they name. */
const ALLOWED: Record<string, Record<string, string>> = {
  '0001_voyages.sql': { '': 'The changelog asks operators to stop all processes first.' },
  '0002_sailing-exceptions.sql': { planned_vessel_id: 'As for the migration before.' },
  '0004_extra-sailings.sql': {
    sailing_exceptions_vessel: 'The checks that replace it allow more.',
    sailing_exceptions_boat: 'One of these checks.',
    sailing_exceptions_extra: 'One of these checks.',
    voyages_extra: 'Of a new column, which is empty in rows of the release before.',
  },
  '0007_order-changes.sql': {
    tickets_party: 'The index that replaces it allows more.',
    tickets_of_party: 'Allows more than the constraint it replaces.',
    trip_card_set_asides_one_per_order: 'The index that replaces it allows more.',
    trip_card_set_asides_one_held: 'Allows more than the index it replaces.',
  },
  '0018_delays-of-zero.sql': {
    sailing_exceptions_delay: 'The check that replaces it allows more.',
    sailing_exceptions_minutes: 'This check.',
  },
  '0021_terms-and-payers.sql': {
    trip_card_debts_of_one: 'Allows more than the check it replaces.',
    trip_card_debts_refund_id_unique: 'Of a new column.',
  },
  '0009_passes.sql': { trip_cards_pass: 'Holds for the defaults of both columns, which are new.' },
};

/** The first problem of a migration's statements that is not allowed; null if they only add. */
function findProblem(name: string, text: string): string | null {
  const statements = text
    .replace(/--> statement-breakpoint/g, ';')
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim().toLowerCase());
  const created = statements.flatMap((statement) => /^create table "?(\w+)"?/.exec(statement)?.[1] ?? []);
  const allowed = Object.keys(ALLOWED[name] ?? {});
  for (const statement of statements) {
    const table = / (?:table|on) (?:only )?"?(\w+)"?/.exec(statement)?.[1] ?? '';
    if (created.includes(table) || allowed.some((named) => statement.includes(named))) continue;
    const found = REFUSED.find(([pattern]) => pattern.test(statement));
    if (found) return `${name} ${found[1]}: ${statement.slice(0, 100)}`;
  }
  return null;
}

describe('a migration', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql') && name !== FIRST_MIGRATION);

  test.each(names)('%s only adds, so that processes of the release before go on working', (name) => {
    expect(findProblem(name, readFileSync(join(FOLDER, name), 'utf8'))).toBeNull();
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
