// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

type Sheet = { classes: Set<string>; named: Set<string>; isIndexed: boolean };

const sheets = new Map<string, Sheet>();
const missing: string[] = [];
for (const file of findFiles('src/web', /\.tsx?$/)) readStyleNames(file);

test('every class that a component uses is defined in its style sheet', () => {
  expect(sheets.size).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

test('every class of a style sheet is used by a component', () => {
  const unused = [...sheets].flatMap(([file, { classes, named, isIndexed }]) =>
    isIndexed ? [] : [...classes].filter((name) => !named.has(name)).map((name) => `${file}: ${name}`),
  );
  expect(unused).toEqual([]);
});

test('every style sheet of a component is imported', () => {
  expect(findFiles('src/web', /\.module\.css$/).filter((file) => !sheets.has(file))).toEqual([]);
});

function readStyleNames(file: string): void {
  const code = readFileSync(file, 'utf8');
  for (const [, variable = '', path = ''] of code.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
    const sheet = findSheet(path.startsWith('#web/') ? `src/${path.slice(1)}` : join(dirname(file), path));
    for (const [, name = ''] of code.matchAll(new RegExp(`[^'/\\w-]${variable}\\.(\\w+)`, 'g'))) {
      sheet.named.add(name);
      if (!sheet.classes.has(name)) missing.push(`${file}: ${name}`);
    }
    sheet.isIndexed ||= code.includes(`${variable}[`);
  }
}

function findSheet(file: string): Sheet {
  const known = sheets.get(file);
  if (known) return known;
  const css = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const classes = new Set([...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name));
  const sheet = { classes, named: new Set<string>(), isIndexed: false };
  sheets.set(file, sheet);
  return sheet;
}

function findFiles(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
