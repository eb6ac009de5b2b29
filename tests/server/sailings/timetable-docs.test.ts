import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
