import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { demoFeedFolder } from '#server/demo/demo-timetable.ts';
import { FEED_TABLES } from '#server/sailings/feed/feed-tables.ts';

/** The columns in the page's tables by file, with whether they are needed. */
function readDocumentedColumns(): Record<string, Record<string, boolean>> {
  const sections = readFileSync('docs/timetable.md', 'utf8').split(/^### /m).slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const [file = ''] = section.split('\n');
      const rows = [...section.matchAll(/^\| `(\w+)` \| (yes)? ?\|/gm)];
      return [file.trim(), Object.fromEntries(rows.map(([, column, needed]) => [column, needed === 'yes']))];
    }),
  );
}

describe('docs/timetable.md', () => {
  it('describes exactly the files and columns that an import reads', () => {
    const read = Object.entries(FEED_TABLES).map(([file, { required, optional }]) => {
      const columns = [
        ...required.map((column) => [column, true] as const),
        ...optional.map((column) => [column, false] as const),
      ];
      return [file, Object.fromEntries(columns)];
    });
    expect(readDocumentedColumns()).toEqual(Object.fromEntries(read));
  });
});

it('docs/timetable.md lists exactly the columns that may be there in other languages', () => {
  const [, section = ''] = readFileSync('docs/timetable.md', 'utf8').split('## Texts in other languages\n');
  const documented = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| ([\w.]+) \| (`.+`) \|$/gm)].map(
    ([, file, columns = '']) => [file, columns.split(', ').map((column) => column.slice(1, -1))],
  );
  const read = Object.entries(FEED_TABLES).flatMap(([file, table]) =>
    'translated' in table ? [[file, table.translated]] : [],
  );
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(read));
});

describe('the demo feed', () => {
  /** Columns of the older form of a file. */
  const LEFT_OUT = new Set(['translations.txt trans_id', 'translations.txt lang']);
  /**
   * Without a use in it: its ports have no platforms, no law asks for lists of its passengers, and rows of transfers that
   * name lines or trips are not used.
   */
  const EMPTY = new Set([
    'stops.txt parent_station',
    'route_rules.csv needs_passenger_list',
    // Of other tables than the product reads.
    'translations.txt record_sub_id',
    ...LEFT_OUT,
    ...['from_route_id', 'to_route_id', 'from_trip_id', 'to_trip_id'].map((name) => `transfers.txt ${name}`),
  ]);

  it.each(Object.entries(readDocumentedColumns()))('shows every column of %s in use', (file, columns) => {
    const rows: unknown = parse(readFileSync(join(demoFeedFolder, file)), { columns: true });
    const unused = Object.keys(columns).filter((column) =>
      (rows as Record<string, string>[]).every((row) => !row[column]),
    );
    expect(unused.map((column) => `${file} ${column}`).filter((name) => !EMPTY.has(name))).toEqual([]);
    expect((rows as Record<string, string>[])[0]).toEqual(
      expect.objectContaining(
        Object.fromEntries(
          Object.keys(columns)
            .filter((name) => !LEFT_OUT.has(`${file} ${name}`))
            .map((name) => [name, expect.any(String)]),
        ),
      ),
    );
  });
});
