import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listDocuments } from '#contract/documents.ts';
import { forEachHost, HOSTS, type Host } from '#contract/hosts.ts';
import { pages as tables } from '#contract/pages.ts';
import { staffPages } from '#contract/paths.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { SHELL_PATH, WORKER_PATH } from '#contract/worker-messages.ts';
import type { BuildDescription } from '#server/pages/page.ts';
import { type BuiltFile, listFiles } from '#sw/cache-rules.ts';
import { endAll, newFolder, type ServerProcess, startServer } from '#tests/process/server-process.ts';

/*
 * The files that the service worker installs on each host, as sent by the server. On a slow connection 365 kB take
 * fifteen seconds, and a listed file that is missing would prevent every update.
 */

const KB = 1000;
const LIMITS = { kept: 1117 * KB, worker: 11.2 * KB };
/** A page of each host that starts from the shell. */
const PAGES = forEachHost((host) => {
  const paths = Object.keys(tables[host]).filter((path) => !path.includes('{'));
  return paths.find((path) => !listDocuments(host).includes(path)) ?? SHELL_PATH;
});
const SERVED = HOSTS.map((host) => ({ host, name: servedHosts[host].subdomain }));
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const folder = fileURLToPath(new URL('../../dist/web', import.meta.url));
const script = readFileSync(join(folder, WORKER_PATH), 'utf8');
const pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as BuildDescription;
const built = builtFiles();
const data = newFolder();
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer({ NODE_ENV: 'test', DATA_DIR: join(data, 'data') });
});
afterAll(async () => {
  await endAll();
  rmSync(data, { recursive: true, force: true });
});

describe.each(SERVED)('what the worker installs on $host', ({ host, name }) => {
  const paths = listFiles(host, built, null);

  test('every listed file exists and has the right type, with the messages of another language', async () => {
    const all = listFiles(host, built, 'en-XA');
    const answers = await Promise.all(
      all.map(async (path) => {
        const { status, headers } = await server.send(path, { host: name });
        return [path, status, headers['content-type']];
      }),
    );
    expect(answers).toEqual(all.map((path) => [path, 200, TYPES[path.split('.').at(-1) ?? '']]));
  });

  test('all files together stay within the limits for transfer and storage', async () => {
    const [kept, transferred] = await Promise.all(
      ['identity', 'br'].map(async (encoding) => {
        const headers = { 'accept-encoding': encoding };
        const sent = [...paths, ...listDocuments(host)].map((path) =>
          server.send(path, { host: name, headers }),
        );
        return (await Promise.all(sent)).reduce((sum, { bytes }) => sum + bytes.length, 0);
      }),
    );
    if (kept === undefined || transferred === undefined) throw new Error('Nothing was measured.');
    process.stdout.write(`G1 ${host}: ${round(transferred)} kB to fetch, ${round(kept)} kB kept\n`);
    expect(transferred).toBeLessThanOrEqual(servedHosts[host].kilobytes.installed * 1024);
    expect(kept).toBeLessThanOrEqual(LIMITS.kept);
  });

  test('the files of every screen are listed, and none of a screen that only other hosts have', () => {
    const own = filesOfScreens(host);
    const others = HOSTS.filter((other) => other !== host).map(filesOfScreens);
    expect([...own].filter((file) => !paths.includes(file))).toEqual([]);
    const screens = (name: string) => /-screen-[\w-]+\.js$/.test(name);
    expect(
      paths.filter((path) => screens(path) && others.some((files) => files.has(path)) && !own.has(path)),
    ).toEqual([]);
  });
});

describe('what is kept out', () => {
  test('password lists and error reports, which need a network, are not listed', () => {
    const paths = SERVED.flatMap(({ host }) => listFiles(host, built, null));
    const listed = paths.map((path) => readFileSync(join(folder, path), 'utf8'));
    expect(listed.some((text) => /passwords-common|BrowserClient|sentry_key/.test(text))).toBe(false);
  });

  test('no listed name matches an ad blocker’s filter', () => {
    expect(built.filter(({ url }) => /\b(ads?|advert|analytics|track(er|ing))\b/i.test(url))).toEqual([]);
  });

  test('the app’s icons, its manifest, version.txt and the worker are not listed', () => {
    expect(
      built.filter(({ url }) => /\.(png|webp|webmanifest|txt|map)$|\/sw\.js|\/install\//.test(url)),
    ).toEqual([]);
  });
});

describe('the worker as sent', () => {
  test('the worker script is small', async () => {
    const { bytes } = await server.send(WORKER_PATH, { host: 'my' });
    const size = gzipSync(bytes).length;
    process.stdout.write(`G2 sw.js: ${round(size)} kB gzip\n`);
    expect(size).toBeLessThanOrEqual(LIMITS.worker);
  });

  test('page, shell, worker and version.txt of every host name the same build', async () => {
    const build = (await server.send('/version.txt', { host: 'my' })).text;
    expect(build).toMatch(/^[\w.-]{1,20}$/);
    for (const { host, name } of SERVED) {
      const page = PAGES[host];
      const worker = await server.send(WORKER_PATH, { host: name });
      expect(worker.text.split('\n', 1)[0]).toContain(`"build":"${build}","host":"${host}"`);
      expect((await server.send('/version.txt', { host: name })).text).toBe(build);
      for (const path of [page, SHELL_PATH])
        expect((await server.send(path, { host: name })).text, path).toContain(`"version":"${build}"`);
    }
  });

  test('the worker script is never cached, and has a policy for its requests', async () => {
    const { headers } = await server.send(WORKER_PATH, { host: 'my' });
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self' http:\/\/storage\.ferry\.localhost:\d+$/,
    );
  });
});

describe.each(SERVED)('the shell of $host', ({ host, name }) => {
  test('the shell has the settings and the policy of a page, and no screen', async () => {
    const shell = await server.send(SHELL_PATH, { host: name });
    const page = await server.send(PAGES[host], { host: name });
    expect(shell.status).toBe(200);
    expect(configOf(shell.text)).toEqual(configOf(page.text));
    expect(policyOf(shell.headers)).toEqual(policyOf(page.headers));
    expect(shell.text).toMatch(/<div id="root"><\/div>/);
    expect(shell.text).not.toContain('id="page-data"');
  });

  test('the shell’s policy allows each of its styles', async () => {
    const { text, headers } = await server.send(SHELL_PATH, { host: name });
    const allowed = String(headers['content-security-policy']);
    const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, content]) => content ?? '');
    const digests = await Promise.all(
      styles.map(async (content) => {
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content));
        return `'sha256-${Buffer.from(digest).toString('base64')}'`;
      }),
    );
    expect(styles.join('').length).toBeGreaterThan(10_000);
    expect(digests.filter((digest) => !allowed.includes(digest))).toEqual([]);
  });
});

function configOf(html: string): unknown {
  return JSON.parse(/id="page-config">(.*?)<\/script>/.exec(html)?.[1] ?? 'null');
}

/** Which styles are allowed is a matter of what is on the page. */
function policyOf(headers: Record<string, unknown>): string {
  return String(headers['content-security-policy']).replace(/style-src [^;]*/, '');
}

/** Those of the office, which work with a network only. */
const ONLINE_SCREENS: readonly string[] = [
  ...[staffPages.orderAsCustomer, staffPages.customerAsCustomer, staffPages.customer, staffPages.audit],
  ...[staffPages.orders, staffPages.order],
  ...[staffPages.timetable, staffPages.prices, staffPages.reports, staffPages.payout, staffPages.invoices],
  ...[staffPages.settings, staffPages.privacy, staffPages.staff],
  ...[staffPages.cardSales, staffPages.cardSale, staffPages.work],
];

/** Those that work without a network. */
function filesOfScreens(host: Host): Set<string> {
  const { entry, scripts, styles, screens } = pages.hosts[host];
  return new Set([
    entry,
    ...scripts,
    ...styles,
    ...screens
      .filter(({ path }) => !ONLINE_SCREENS.includes(path))
      .flatMap((screen) => [...screen.scripts, ...screen.styles]),
  ]);
}

/** The list as the build wrote it into the script. */
function builtFiles(): BuiltFile[] {
  const list = /\[\{"hosts":.*"\}\]/s.exec(script)?.[0];
  if (list === undefined) throw new Error('The built worker carries no list of files.');
  return JSON.parse(list) as BuiltFile[];
}

function round(bytes: number): number {
  return Math.round(bytes / 100) / 10;
}
