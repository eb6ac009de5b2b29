import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { HOSTS, type Host } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import type { BuildDescription, Screen } from '#server/pages/page.ts';

/*
 * What the built web app may weigh and may hold. Every kilobyte is 50 ms on a weak link, and a library that
 * slips into the first bundle is noticed here rather than at the terminal. Kilobytes are 1024 bytes, brotli.
 */

const KB = 1024;
const folder = fileURLToPath(new URL('../../dist/web', import.meta.url));
if (!existsSync(folder)) throw new Error('There is no build to weigh. Run "npm run build" first.');
const pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as BuildDescription;
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

const FIRST_SCREENS = HOSTS.flatMap((host) =>
  Object.entries(servedHosts[host].kilobytes.firstScreens).map(([path, limit]) => ({ host, path, limit })),
);

/** Traces that each library leaves in whatever bundle it gets into. */
const LATER = {
  'the card provider’s wrapper': /createConfirmationToken|confirmCardPayment|Elements context/,
  'error reports': /captureException|BrowserClient|sentry_key/,
  'session recording': /rrweb/,
  'the whole of zod': /ZodDiscriminatedUnion/,
  'the lists of common passwords': /passwords-common/,
  'the browser’s side of passkeys': /ERROR_CEREMONY_ABORTED/,
};

describe('what a first visit loads', () => {
  test.each(FIRST_SCREENS)('$host $path loads at most $limit KB of scripts', ({ host, path, limit }) => {
    const bytes = scriptsOf(host, path).reduce((sum, file) => sum + packedSize(file), 0);
    expect(bytes / KB).toBeLessThanOrEqual(limit);
  });

  test.each(FIRST_SCREENS)('$host $path loads at most 4.2 KB of German messages', ({ host, path }) => {
    const names = [`${host}/start`, screenOf(host, path).catalogue];
    const catalogues = names.map((name) => join(folder, pages.messages, 'de', `${name}.js`));
    expect(catalogues.reduce((sum, file) => sum + packedSize(file), 0) / KB).toBeLessThanOrEqual(4.2);
  });

  test.each(FIRST_SCREENS)('$host $path loads at most 35 scripts', ({ host, path }) => {
    expect(scriptsOf(host, path).length).toBeLessThanOrEqual(35);
  });

  test.each(FIRST_SCREENS)('$host $path loads nothing that is only needed later', ({ host, path }) => {
    const text = scriptsOf(host, path).map(read).join('\n');
    const found = Object.entries(LATER).filter(([, trace]) => trace.test(text));
    expect(found.map(([name]) => name)).toEqual([]);
  });

  test('each text that the test searches for exists in this build', () => {
    const all = scriptFiles().map(read).join('\n');
    expect(all).toMatch(LATER['the card provider’s wrapper']);
    expect(all).toMatch(LATER['error reports']);
    expect(all).toMatch(LATER['the lists of common passwords']);
    expect(all).toMatch(LATER['the browser’s side of passkeys']);
  });
});

describe('what the build holds', () => {
  test('the styles use two font weights, because a slow phone prepares each one in each size', () => {
    const styles = files
      .filter((file) => file.endsWith('.css'))
      .map(read)
      .join('\n')
      .replaceAll(/@font-face\{[^}]*\}/g, '');
    const weights = new Set(Array.from(styles.matchAll(/font-weight:([^;}]+)/g), ([, weight]) => weight));
    expect([...weights].toSorted()).toEqual(['400', 'inherit', 'var(--bold)']);
  });

  test('the only font is at most 18 KB, and no page waits for it', () => {
    const fonts = files.filter((file) => /\.(woff2?|ttf|otf)$/.test(file));
    expect(fonts.map((file) => statSync(file).size <= 18 * KB)).toEqual([true]);
    const faces = files
      .filter((file) => file.endsWith('.css'))
      .flatMap((file) => read(file).match(/@font-face\{[^}]*\}/g) ?? []);
    const loaded = faces.filter((face) => face.includes('url('));
    expect(loaded.map((face) => face.includes('font-display:optional'))).toEqual([true]);
    expect(Object.values(pages.styles).join('')).toContain('@font-face');
  });

  test('no file contains a secret or the name of one', () => {
    const secret =
      /sk_(test|live)_|rk_(test|live)_|whsec_|STRIPE_SECRET|APP_SECRET|SMTP_URL|DATABASE_URL|\bpepper\b/;
    const leaks = files.filter((file) => secret.test(readFileSync(file, 'latin1')));
    expect(leaks).toEqual([]);
  });

  test('no script uses the environment of Node, as libraries do in a script that is built apart', () => {
    expect(scriptFiles().filter((file) => read(file).includes('process.env'))).toEqual([]);
  });

  test('no file is a source map or points to one', () => {
    const mapped = files.filter(
      (file) => file.endsWith('.map') || /[#@] sourceMappingURL=/.test(readFileSync(file, 'latin1')),
    );
    expect(mapped).toEqual([]);
  });

  test('no script contains a path of the build machine', () => {
    const told = scriptFiles().filter((file) => /\/(node_modules|src\/(web|server))\//.test(read(file)));
    expect(told).toEqual([]);
  });
});

function scriptsOf(host: Host, path: string): string[] {
  const { entry, scripts } = pages.hosts[host];
  return [entry, ...scripts, ...screenOf(host, path).scripts].map((href) => join(folder, href));
}

function screenOf(host: Host, path: string): Screen {
  const screen = pages.hosts[host].screens.find((each) => each.path === path);
  if (!screen) throw new Error(`The build has no screen ${path} on ${host}.`);
  return screen;
}

function scriptFiles(): string[] {
  return files.filter((file) => file.endsWith('.js'));
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

/** As the build packed it. */
function packedSize(file: string): number {
  return statSync(`${file}.br`).size;
}
