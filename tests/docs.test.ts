import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const DOCUMENTS = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
/** Folders at the top whose files documents name by their whole path. */
const ROOTS = /^(src|sw|tests|e2e|docs|public)\/[\w./-]+$/;

type Found = { document: string; target: string };

function findIn(pattern: RegExp): Found[] {
  return DOCUMENTS.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(pattern)].map(([, target = '']) => ({ document, target })),
  );
}

/** As GitHub names the anchor of a heading. */
function anchorsOf(file: string): string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken({ document, target }: Found): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : join(dirname(document), path);
  return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
}

describe('the documents', () => {
  test('link only to files and headings that exist', () => {
    const links = findIn(/\]\(([^)\s]+)\)/g).filter(({ target }) => !/^[a-z]+:/.test(target));
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(isBroken)).toEqual([]);
  });

  test('name only files that exist', () => {
    const named = findIn(/`([^`\s]+)`/g).filter(({ target }) => ROOTS.test(target));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ target }) => !existsSync(target))).toEqual([]);
  });

  test('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = findIn(/npm run (?:--silent )?([\w:-]+)/g);
    expect(named.filter(({ target }) => !(target in scripts))).toEqual([]);
  });

  test('describe every variable of the environment, and compose.yaml passes each on', () => {
    const config = readFileSync(join('src', 'server', 'config.ts'), 'utf8');
    const variables = [...config.matchAll(/^ {2}([A-Z_]{4,}): /gm)].map(([, name = '']) => name);
    const described = readFileSync(join('docs', 'operating.md'), 'utf8');
    const composed = readFileSync('compose.yaml', 'utf8') + readFileSync('Dockerfile', 'utf8');
    expect(variables.length).toBeGreaterThan(30);
    expect(variables.filter((name) => !described.includes(`\`${name}\``))).toEqual(['NODE_ENV']);
    expect(variables.filter((name) => !RegExp(`\\b${name}\\b`).test(composed))).toEqual(['PORT']);
  });

  test('list every decision in the index', () => {
    const listed = findIn(/\]\(([^)\s]+)\)/g)
      .filter(({ document }) => document === join('docs', 'decisions', 'README.md'))
      .map(({ document, target }) => join(dirname(document), target));
    const decisions = DOCUMENTS.filter((document) => /^docs\/decisions\/.+\/.+\.md$/.test(document));
    expect(listed.toSorted()).toEqual(decisions.toSorted());
  });

  test('keep the README short enough to be read', () => {
    expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(150);
  });
});
