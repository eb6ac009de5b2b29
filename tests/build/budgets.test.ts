import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { portalPages, ticketPages } from '#contract/paths.ts';
import type { BuildDescription } from '#server/pages/page.ts';

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

const FIRST_SCREENS = [
  { host: 'tickets', path: ticketPages.home, limit: 141 },
  { host: 'tickets', path: ticketPages.confirmation, limit: 148 },
  { host: 'portal', path: portalPages.signIn, limit: 145 },
  { host: 'portal', path: portalPages.signUp, limit: 145 },
  { host: 'portal', path: portalPages.orders, limit: 149 },
  { host: 'portal', path: portalPages.tripCards, limit: 147 },
] as const;

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

  test.each(FIRST_SCREENS)('$host $path loads at most 28 scripts', ({ host, path }) => {
    expect(scriptsOf(host, path).length).toBeLessThanOrEqual(28);
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
      .join('\n');
    const weights = new Set(Array.from(styles.matchAll(/font-weight:([^;}]+)/g), ([, weight]) => weight));
    expect([...weights].toSorted()).toEqual(['400', 'inherit', 'var(--bold)']);
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

function scriptsOf(host: 'tickets' | 'portal', path: string): string[] {
  const own = pages.hosts[host];
  const screen = own.screens.find((each) => each.path === path);
  if (!screen) throw new Error(`The build has no screen ${path} on ${host}.`);
  return [own.entry, ...own.scripts, ...screen.scripts].map((href) => join(folder, href));
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
