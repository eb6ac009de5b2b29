import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDERS = ['src', 'sw', 'tests', 'e2e'];

/** Turns that make comments hard to read; name the customer, the caller or the process instead. */
const UNWANTED = /\b(nobody|somebody|whoever|anew|for ever)\b/i;

test.each(FOLDERS)('comments in %s use plain English', (folder) => {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) => findComments(readFileSync(file, 'utf8')).map((comment) => `${file}: ${comment}`))
    .filter((comment) => UNWANTED.test(comment));
  expect(found).toEqual([]);
});

/** Comments that begin a line, so that addresses in strings do not count. */
function findComments(code: string): string[] {
  return [...code.matchAll(/^\s*(\/\*[\s\S]*?\*\/|\/\/.*)$/gm)].map(([, comment = '']) =>
    comment.replace(/\s+\*?\s*/g, ' '),
  );
}
