import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listHostsOf } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { HOST_NAMES, hostHeader } from './http-client.ts';
import { newEmbeddedPlace, type Place } from './places.ts';
import { endAll, type ServerProcess, startServer } from './server-process.ts';
import { buyTicket, publishableKeyOf, sailingsOf } from './shopper.ts';

const built = fileURLToPath(new URL('../../dist/web', import.meta.url));
const PAGES = [
  ['tickets', '/'],
  ['tickets', '/orders/new'],
  ['tickets', '/departures'],
  ['tickets', '/departures/MAD'],
  ['tickets', '/orders/ord_00000000000000000000000000/confirmation'],
  ['my', '/'],
  ['my', '/orders'],
  ['my', '/sign_in'],
  ['tickets', '/404'],
  ['my', '/404'],
  ['staff', '/'],
  ['staff', '/gate'],
  ['staff', '/404'],
] as const;
let place: Place;
let server: ServerProcess;
beforeAll(async () => {
  place = newEmbeddedPlace();
  server = await startServer(place.env);
});
afterAll(async () => {
  await endAll();
  await place.remove();
});

test.each(PAGES)('the page at %s%s has all security headers', async (host, path) => {
  const { status, headers, text } = await server.send(path, { host });
  expect(status).toBe(path === '/404' ? 404 : 200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    // A confirmation page may hold an order.
    'cache-control': path.endsWith('/confirmation') ? 'private, no-store' : 'no-cache',
  });
  const { takesPayments, usesCamera } = hostNamed(host);
  expect(headers['permissions-policy']).toContain(usesCamera ? 'camera=(self)' : 'camera=()');
  expect(headers['set-cookie']).toBeUndefined();
  const policy = policyOf(headers['content-security-policy']);
  expect(policy).toMatchObject({
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'script-src': [
      "'self'",
      ...(usesCamera ? ["'wasm-unsafe-eval'"] : []),
      ...(takesPayments ? [`http://${hostHeader('pay', server.port)}`] : []),
    ],
  });
  expect(
    Object.values(policy)
      .flat()
      .filter((source) => /unsafe|^\*$|^https?:$/.test(source) && source !== "'wasm-unsafe-eval'"),
  ).toEqual([]);
  const inline = [...text.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>/g)].map(([, attributes]) => attributes);
  expect(inline.filter((attributes) => !/type="application\/(ld\+)?json"/.test(attributes ?? ''))).toEqual(
    [],
  );
  const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, content = '']) => hashOf(content));
  expect(styles.filter((hash) => !policy['style-src']?.includes(hash))).toEqual([]);
  expect(text).not.toMatch(/\sstyle="|\son\w+="/);
});

test('a confirmation page is the same for an unknown order as for a malformed id', async () => {
  const [unknown, malformed] = await Promise.all(
    ['ord_00000000000000000000000000', 'x'].map((id) => server.send(`/orders/${id}/confirmation`)),
  );
  expect(unknown?.status).toBe(200);
  expect(unknown?.text).toBe(malformed?.text);
  expect(unknown?.text).not.toContain('Say these codes');
  const { date: _one, ...headers } = unknown?.headers ?? {};
  const { date: _other, ...others } = malformed?.headers ?? {};
  expect(headers).toEqual(others);
});

test.each(['br', 'gzip'])(
  'a confirmation page contains the essentials of its order, also compressed with %s',
  async (encoding) => {
    const [sailing = ''] = await sailingsOf(server.send);
    const publishableKey = await publishableKeyOf(server.send);
    const email = `${encoding}@example.com`;
    const { orderId } = await buyTicket(server.send, { sailing, email, publishableKey });
    const { headers, bytes } = await server.send(`/orders/${orderId}/confirmation`, {
      headers: { 'accept-encoding': encoding },
    });
    expect(headers).toMatchObject({ 'content-encoding': encoding, 'cache-control': 'private, no-store' });
    const text = String(encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes));
    const help = /<main id="start-help" hidden>(.*?)<\/main>/s.exec(text)?.[1] ?? '';
    expect(help).toMatch(/<h2>Order [0-9A-Z-]+<\/h2><p>Confirmed · 1 traveler<\/p>/);
    expect(help).toMatch(/<h3>[^<]+ to [^<]+<\/h3>/);
    expect(help).toMatch(/Adult: <strong>[0-9A-Z]{4} [0-9A-Z]{4}<\/strong>/);
    expect(help).not.toContain(orderId);
    expect(server.stdout() + server.stderr()).not.toContain(orderId);
  },
);

test('trip planners get the timetable and its live data on the ticket host only', async () => {
  const timetable = await server.send('/gtfs/timetable.zip');
  expect(timetable.status).toBe(200);
  expect(timetable.headers).toMatchObject({
    'content-type': 'application/zip',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  });
  const updates = await server.send('/gtfs/trip-updates.pb?format=json');
  expect(JSON.parse(updates.text).header.gtfsRealtimeVersion).toBe('2.0');
  expect((await server.send('/gtfs/timetable.zip', { host: 'my' })).status).toBe(404);
});

test.each(HOST_NAMES)('%s answers HEAD like GET, and refuses other methods', async (host) => {
  const [head, get] = await Promise.all([
    server.send('/', { host, method: 'HEAD' }),
    server.send('/', { host }),
  ]);
  expect(head.status).toBe(200);
  expect(head.text).toBe('');
  expect(head.headers.etag).toBe(get.headers.etag);
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const reply = await server.send('/', { host, method, body: 'x' });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD']);
  }
});

test.each(HOST_NAMES)('%s serves its version as a short text', async (host) => {
  const reply = await server.send('/version.txt', { host });
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.text).toMatch(/^[\w.-]{1,20}$/);
});

test.each([
  '/pages.json',
  '/.vite/manifest.json',
  '/index.html',
  '/start-portal.ts',
  '/../package.json',
  '/..%2f..%2fpackage.json',
  '/404.html',
  '/favicon.ico',
  '/apple-app-site-association.json',
  '/.well-known/openid-configuration',
  '/.well-known/',
])('%s is a file that does not exist and answers 404, to a person with the not-found page', async (path) => {
  for (const host of HOST_NAMES) {
    const reply = await server.send(path, { host });
    expect(reply.status).toBe(404);
    expect(reply.headers['content-type']).not.toContain('html');
    const page = await server.send(path, { host, headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.status).toBe(404);
    expect(page.headers['content-type']).toContain('html');
  }
});

test('password managers and security researchers find their addresses', async () => {
  for (const { subdomain: host } of listHostsOf('customer').map((each) => servedHosts[each])) {
    const change = await server.send('/.well-known/change-password', { host });
    expect([change.status, change.headers.location]).toEqual([
      302,
      `http://${hostHeader('my', server.port)}/security`,
    ]);
    const security = await server.send('/.well-known/security.txt', { host });
    expect(security.text).toMatch(/^Contact: mailto:help@harborline\.example$/m);
    expect(security.text).toMatch(/^Expires: \d{4}-\d\d-\d\dT/m);
    expect(security.headers['content-type']).toBe('text/plain; charset=utf-8');
  }
});

test('search engines find the pages of the ticket host, and nothing of the other hosts or of orders', async () => {
  const robots = await server.send('/robots.txt');
  const origin = `http://${hostHeader('tickets', server.port)}`;
  expect(robots.text).toContain(`Sitemap: ${origin}/sitemap.xml`);
  expect(robots.text).toContain('Disallow: /orders/');
  for (const { subdomain: host } of Object.values(servedHosts).filter(({ isPublic }) => !isPublic)) {
    expect((await server.send('/robots.txt', { host })).text).toBe('User-agent: *\nDisallow: /\n');
    expect((await server.send('/sitemap.xml', { host })).status).toBe(404);
  }
  const { text } = await server.send('/sitemap.xml');
  const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  expect(paths).toContain('/departures');
  expect(paths.length).toBeGreaterThan(4);
  for (const path of paths) expect([path, (await server.send(path)).status]).toEqual([path, 200]);
});

test.each(['/no/such/page', '/orders//confirmation', '/%E0%A4%A', '/%00'])(
  '%s is an unknown path and shows the not-found page',
  async (path) => {
    for (const host of HOST_NAMES) {
      const reply = await server.send(path, { host });
      expect(reply.status).toBe(302);
      expect(reply.headers.location).toBe(`http://${hostHeader(host, server.port)}/404`);
    }
  },
);

test.each([
  ['GET', '/no/such/page', 302],
  ['GET', '/assets/missing.js', 404],
  ['POST', '/', 405],
  ['GET', '/version.txt', 200],
  ['GET', '/icon.svg', 200],
])('the answer to %s %s carries the security headers of pages', async (method, path, status) => {
  for (const host of HOST_NAMES) {
    const reply = await server.send(path, { host, method });
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'content-security-policy':
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    });
  }
});

test('a missing hashed file answers 404', async () => {
  for (const path of ['/assets/x', '/assets/', '/assets/..%2findex.html', '/assets/main.js']) {
    const reply = await server.send(path);
    expect([path, reply.status]).toEqual([path, 404]);
    expect(reply.headers['content-type']).not.toContain('html');
  }
});

test('hashed files are cacheable indefinitely and compressed as the browser accepts', async () => {
  const { text } = await server.send('/');
  const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) {
    const ask = (encoding: string) => server.send(path, { headers: { 'accept-encoding': encoding } });
    const [brotli, gzip, plain, refused] = await Promise.all(
      ['gzip, deflate, br, zstd', 'gzip', 'identity', 'br;q=0, gzip;q=0'].map(ask),
    );
    expect(brotli?.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    const content = readFileSync(join(built, path));
    if (content.length > 512) {
      expect(brotli?.headers['content-encoding']).toBe('br');
      expect(gzip?.headers['content-encoding']).toBe('gzip');
      expect(brotliDecompressSync(brotli?.bytes ?? '').equals(content)).toBe(true);
      expect(gunzipSync(gzip?.bytes ?? '').equals(content)).toBe(true);
    }
    for (const reply of [plain, refused]) {
      expect(reply?.headers['content-encoding']).toBeUndefined();
      expect(reply?.bytes.equals(content)).toBe(true);
    }
    const etag = String(plain?.headers.etag);
    expect(etag).toMatch(/^W\/"/);
    for (const tags of [etag, etag.replace('W/', ''), `"other", ${etag}`]) {
      const known = await server.send(path, { headers: { 'if-none-match': tags } });
      expect([known.status, known.text]).toEqual([304, '']);
    }
  }
});

const NEVER = { 'cache-control': 'no-store' };
const ASK_EACH_TIME = { 'cache-control': 'no-cache', vary: 'Accept-Encoding' };
/** In the visitor's language. */
const ASK_EACH_VISITOR = { 'cache-control': 'no-cache', vary: 'Accept-Encoding, Accept-Language, Cookie' };

test.each([
  ['tickets', 'GET', '/', 200, ASK_EACH_VISITOR],
  ['my', 'GET', '/sign_in', 200, ASK_EACH_VISITOR],
  ['tickets', 'GET', '/sw.js', 200, ASK_EACH_TIME],
  ['tickets', 'GET', '/manifest.webmanifest', 200, ASK_EACH_TIME],
  ['tickets', 'GET', '/gtfs/timetable.zip', 200, { 'cache-control': 'public, max-age=300' }],
  [
    'tickets',
    'GET',
    '/api/catalogue',
    200,
    { 'cache-control': 'public, max-age=60', vary: 'Origin, Accept-Language' },
  ],
  ['storage', 'GET', '/public/settings/web.json', 200, { 'cache-control': 'no-cache' }],
  ['tickets', 'GET', '/robots.txt', 200, { 'cache-control': 'public, max-age=3600' }],
  ['tickets', 'GET', '/version.txt', 200, NEVER],
  ['tickets', 'GET', '/assets/gone.js', 404, NEVER],
  ['tickets', 'GET', '/favicon.png', 404, NEVER],
  ['tickets', 'GET', '/gtfs/gone.pb', 404, NEVER],
  ['tickets', 'GET', '/no/such/page', 302, NEVER],
  ['tickets', 'GET', '/.well-known/change-password', 302, NEVER],
  ['tickets', 'POST', '/', 405, NEVER],
  ['my', 'GET', '/api/customers/orders', 401, { ...NEVER, vary: 'Origin' }],
  ['my', 'GET', '/api/nothing', 404, NEVER],
  ['tickets', 'POST', '/api/quotes', 415, NEVER],
] as const)('%s tells caches what to do with %s %s (%i)', async (host, method, path, status, headers) => {
  const ask = (more: Record<string, string>) => server.send(path, { host, method, headers: more });
  const reply = await ask({ 'accept-encoding': 'br, gzip' });
  expect([reply.status, reply.headers]).toMatchObject([status, headers]);
  const isStored = status === 200 && headers !== NEVER && path !== '/robots.txt';
  if (!isStored) return;
  const etag = String(reply.headers.etag);
  const known = await ask({ 'if-none-match': etag });
  expect([known.status, known.text, known.headers]).toMatchObject([304, '', { ...headers, etag }]);
});

test('every file of the build is sent with its type, and none contains a secret', async () => {
  const files = readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(built.length))
    .filter((path) => !/^\/(index\.html|pages\.json|\.vite\/manifest\.json)$|\.br$/.test(path));
  expect(files.length).toBeGreaterThan(5);
  for (const path of files) {
    const reply = await server.send(path, { host: 'my' });
    expect([path, reply.status]).toEqual([path, 200]);
    expect([path, reply.headers['x-content-type-options']]).toEqual([path, 'nosniff']);
    expect([path, reply.headers['content-type']]).not.toEqual([path, 'application/octet-stream']);
    expect(reply.text).not.toMatch(/\b[sr]k_(test|live)_\w{8}|whsec_\w{8}|smtps?:\/\/|postgres(ql)?:\/\//);
  }
});

test.each(HOST_NAMES)('%s can be installed under its own name', async (host) => {
  const reply = await server.send('/manifest.webmanifest', { host });
  expect(reply.headers['content-type']).toBe('application/manifest+json');
  const manifest = reply.json();
  expect(manifest.name).toContain('Harbor Line');
  for (const { src } of manifest.icons) expect((await server.send(src, { host })).status).toBe(200);
});

test('pages contain the public key and no secret key', async () => {
  for (const [host, path] of PAGES) {
    const { text } = await server.send(path, { host });
    expect(text).toMatch(/pk_test_\w+/);
    expect(text).not.toMatch(/sk_test_|whsec_/);
  }
});

function hostNamed(name: string) {
  const host = Object.values(servedHosts).find(({ subdomain }) => subdomain === name);
  if (host === undefined) throw new Error(`No host is named ${name}.`);
  return host;
}

function policyOf(header: string | string[] | undefined): Record<string, string[]> {
  return Object.fromEntries(
    String(header)
      .split('; ')
      .map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources];
      }),
  );
}

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
