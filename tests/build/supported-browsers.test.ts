import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { describe, expect, test } from 'vitest';
import { buildScript } from '#sandbox/card-provider/frame-page.ts';
import type { BuildDescription } from '#server/pages/page.ts';
import { newerApis, newerStyles, regexSources } from './browser-compatibility.ts';

/*
 * Whether the built app runs in every supported browser: no syntax its oldest versions cannot parse, and nothing they
 * lack but what is listed here with its reason.
 */

const folder = fileURLToPath(new URL('../../dist/web', import.meta.url));
if (!existsSync(folder)) throw new Error('There is no build to check. Run "npm run build" first.');
const pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as BuildDescription;
const scripts = [...readBuilt('.js'), ...(await readSandbox())];
const styles = readBuilt('.css');

/** Named in a script, and only used where it exists, or another library's or our own method of that name. */
const ALLOWED_APIS: Record<string, string> = {
  'Error.captureStackTrace': 'zod asks for it first',
  'Error.stackTraceLimit': '@sentry/react sets it, which changes nothing where it is missing',
  clearAppBadge: 'platform/install/badge.ts asks for it first',
  drop: 'a method of saved-data/persister.ts',
  getCapabilities: 'scanner/camera.ts asks for it first',
  grow: 'zxing-wasm’s memory, which every browser with WebAssembly has',
  navigation: 'react-dom asks for its type first',
  'navigator.connection': 'react-dom asks for it first',
  'navigator.globalPrivacyControl': 'undefined where it is missing, as where it is not set',
  'navigator.share': 'send-tickets/new-link.tsx asks for it first',
  setAppBadge: 'platform/install/badge.ts asks for it first',
  setImmediate: 'the scheduler asks for its type first',
  showPopover: 'called where it exists; elsewhere ui/popup.tsx puts popups on a layer of their own',
  startViewTransition: 'react-dom asks for it first',
  sync: 'a method of device/gate-device.ts',
  'Symbol.dispose': 'emscripten’s code in zxing-wasm asks for it first',
  take: 'a method of saved-data/account-data.ts',
  when: 'a property of zod’s checks',
};

/** Ignored by browsers that lack it, without a loss that matters. */
const ALLOWED_STYLES: Record<string, string> = {
  ':details-content': 'what is folded prints only where it is known; a party’s code prints elsewhere',
  ':selection': 'phones mark a selection in colors of their own',
  '@page': 'margins of a printed page',
  '@property': 'an accent that is no color falls back to none instead of the default one',
  '@starting-style': 'dialogs open without a transition',
  'break-after: avoid': 'where a printed page breaks',
  'content-visibility': 'only of ::details-content',
  'content-visibility: visible': 'only of ::details-content',
  'cursor: help': 'phones have no cursor',
  'cursor: not-allowed': 'phones have no cursor',
  'cursor: pointer': 'phones have no cursor',
  'cursor: progress': 'phones have no cursor',
  'forced-color-adjust': 'where it is missing, no colors are forced',
  'forced-color-adjust: none': 'where it is missing, no colors are forced',
  resize: 'phones keep the height that a field of several lines has',
  'resize: vertical': 'phones keep the height that a field of several lines has',
  'scrollbar-width': 'scrollbars are as wide as elsewhere',
  'scrollbar-width: thin': 'scrollbars are as wide as elsewhere',
  'text-wrap': 'where lines of text break',
  'text-wrap: balance': 'where lines of text break',
  'text-wrap: pretty': 'where lines of text break',
  zoom: 'tickets are printed larger, fewer to a sheet',
};

describe('the built scripts', () => {
  test('use no syntax and no API that a supported browser lacks, except those listed with a reason', () => {
    const found = scripts.flatMap(({ name, text }) => newerApis(text).map((api) => ({ name, api })));
    expect(found.filter(({ api }) => !(api in ALLOWED_APIS))).toEqual([]);
    expect(
      unused(
        ALLOWED_APIS,
        found.map(({ api }) => api),
      ),
    ).toEqual([]);
  }, 30_000);

  test('parse, where every page loads them, also in older browsers without lookbehind in regular expressions', () => {
    const first = new Set(firstFiles().map((path) => basename(path)));
    const loaded = scripts.filter(({ name }) => first.has(name));
    expect(loaded.length).toBeGreaterThan(10);
    const withLookbehind = loaded.filter(({ text }) =>
      regexSources(text).some((source) => /\(\?<[=!]/.test(source)),
    );
    expect(withLookbehind.map(({ name }) => name)).toEqual([]);
  });
});

test('the script that checks the start is ES5, for browsers that parse nothing newer', () => {
  const check = scripts.find(({ name }) => name === basename(pages.startCheck));
  expect(() => parse(check?.text ?? 'missing script', { ecmaVersion: 5 })).not.toThrow();
});

describe('the built styles', () => {
  test('use nothing that a supported browser lacks, except what is listed with a reason', () => {
    const found = styles.flatMap(({ name, text }) => newerStyles(text).map((feature) => ({ name, feature })));
    expect(found.filter(({ feature }) => !(feature in ALLOWED_STYLES))).toEqual([]);
    expect(
      unused(
        ALLOWED_STYLES,
        found.map(({ feature }) => feature),
      ),
    ).toEqual([]);
  });

  test('give every color in a notation for browsers without oklch()', () => {
    const unguarded = styles.filter(({ text }) => /oklch\((?!from )/.test(text));
    expect(unguarded.map(({ name }) => name)).toEqual([]);
  });
});

describe('the check', () => {
  test.each([
    ['a regular expression with the v flag', 'export const a = /[a]/v;'],
    ['modifiers inside of a regular expression', 'export const a = /(?i:a)/;'],
    ['import attributes', 'import a from "./a.json" with { type: "json" };'],
    ['a resource declaration', 'function f(a) { using b = a; }'],
  ])('refuses %s', (_name, script) => {
    expect(() => newerApis(script)).toThrow(SyntaxError);
  });

  test.each([
    ['URL.canParse(a)', 'URL.canParse'],
    ['Promise.withResolvers()', 'Promise.withResolvers'],
    ['Array.fromAsync(a)', 'Array.fromAsync'],
    ['Object.groupBy(a, b)', 'Object.groupBy'],
    ['AbortSignal.any(a)', 'AbortSignal.any'],
    ['Response.json(a)', 'Response.json'],
    ['a.symmetricDifference(b)', 'symmetricDifference'],
    ['a.showPopover()', 'showPopover'],
    ['a.bytes().toBase64()', 'toBase64'],
    ['Temporal.Now.instant()', 'Temporal'],
    ['new CloseWatcher()', 'CloseWatcher'],
  ])('finds the API in %s', (script, api) => {
    expect(newerApis(script)).toContain(api);
  });

  test.each([
    'a.toSorted().with(0, b).at(-1)',
    'structuredClone(a); crypto.randomUUID(); Object.hasOwn(a, b)',
    'AbortSignal.timeout(1)',
    'const groupBy = (a) => a; groupBy(b).any()',
  ])('accepts %s', (script) => {
    expect(newerApis(script)).toEqual([]);
  });

  test.each([
    ['a{color:light-dark(red,blue)}', 'light-dark()'],
    ['a{color:oklch(from red l c h)}', 'oklch(from …)'],
    ['a{b{color:red}}', 'nesting'],
    ['a{position-anchor:--b}', 'position-anchor'],
    ['a:popover-open{color:red}', ':popover-open'],
    ['@scope (a){b{color:red}}', '@scope'],
    ['a{text-wrap:pretty}', 'text-wrap: pretty'],
  ])('finds the feature in %s', (css, feature) => {
    expect(newerStyles(css)).toContain(feature);
  });

  test.each([
    'a:has(b){color:color-mix(in oklab,red,blue)}',
    '@supports (color:oklch(from red l c h)){a{color:oklch(from red l c h)}}',
    'a{-webkit-mask:none;mask:none}',
    'a{height:100dvh;inset:0;color:oklch(0.5 0.1 200)}',
  ])('accepts %s', (css) => {
    expect(newerStyles(css)).toEqual([]);
  });
});

type BuiltText = { name: string; text: string };

function readBuilt(extension: string): BuiltText[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .map((path) => ({ name: basename(path), text: readFileSync(join(folder, path), 'utf8') }));
}

/** The stand-in of the card provider serves scripts that are not part of the build. */
function readSandbox(): Promise<BuiltText[]> {
  const names = ['stripe.js', 'frame.js', 'three-d-secure.js'] as const;
  return Promise.all(names.map(async (name) => ({ name, text: await buildScript(name) })));
}

/** The code that any page of either host runs before the first interaction. */
function firstFiles(): string[] {
  const scripts = Object.values(pages.hosts).flatMap(({ entry, scripts, screens }) => [
    entry,
    ...scripts,
    ...screens.flatMap((screen) => screen.scripts),
  ]);
  return [pages.firstPaint, ...scripts];
}

function unused(allowed: Record<string, string>, found: readonly string[]): string[] {
  return Object.keys(allowed).filter((name) => !found.includes(name));
}
