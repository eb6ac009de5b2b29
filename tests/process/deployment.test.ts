import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmtpCatcher, startSmtpCatcher } from '#tests/server/mail/smtp-catcher.ts';
import { type Balancer, openBalancer } from './balancer.ts';
import { type Reply, type RequestOptions, request } from './http-client.ts';
import { newPostgresPlace, type Place } from './places.ts';
import { installForProduction, type ProductionInstall, readDockerfile } from './production-install.ts';
import { endAll, eventually, launch, root, startServer } from './server-process.ts';

/*
 * The steps of the Dockerfile without a container engine: the files and packages of its last stage, run by another user who
 * cannot write to them, two processes on one database, behind a proxy that ends TLS.
 */

const certificate = readFileSync(new URL('tls/certificate.pem', import.meta.url));
const key = readFileSync(new URL('tls/key.pem', import.meta.url));
const TICKETS = 'tickets.ferry.example';
const PORTAL = 'account.ferry.example';
const LIVE_KEYS = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_live_51NotARealKeyOfAnybody',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_51NotARealKeyOfAnybody',
  STRIPE_WEBHOOK_SECRET: 'whsec_not_a_real_secret',
};

let install: ProductionInstall;
let place: Place;
let smtp: SmtpCatcher;
let proxy: Balancer;
let env: Record<string, string>;

beforeAll(async () => {
  install = installForProduction();
  [place, smtp, proxy] = await Promise.all([
    newPostgresPlace({ isEmpty: true }),
    startSmtpCatcher(),
    openBalancer({ cert: certificate, key }),
  ]);
  env = {
    ...place.env,
    NODE_ENV: 'production',
    PARENT_DOMAIN: 'ferry.example',
    TICKETS_HOST: TICKETS,
    PORTAL_HOST: PORTAL,
    PUBLIC_SCHEME: 'https',
    PUBLIC_PORT: '443',
    TRUST_PROXY: '1',
    SMTP_URL: smtp.url,
    PAYMENTS: 'sandbox',
    NODE_COMPILE_CACHE: install.newDataFolder('compiled'),
  };
});
afterAll(async () => {
  await endAll();
  await Promise.all([place?.remove(), smtp?.close(), proxy?.close()]);
  install.remove();
});

test('two processes of a production install serve its host names over TLS, and one of them may stop', async () => {
  const first = await startServer(
    { ...env, DATA_DIR: install.newDataFolder('1') },
    install.app,
    install.runAs,
  );
  const second = await startServer(
    { ...env, DATA_DIR: install.newDataFolder('2') },
    install.app,
    install.runAs,
  );
  proxy.sendTo(first.port, second.port);

  const page = await ask('/', { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.headers['strict-transport-security']).toContain('max-age=');
  expect(page.text).toContain(`https://${PORTAL}`);
  expect(page.text).not.toMatch(/https?:\/\/[^"]*ferry\.example:\d/);
  const [script = ''] = /\/assets\/[^"]+\.js/.exec(page.text) ?? [];
  const file = await ask(script, { headers: { 'accept-encoding': 'br' } });
  expect([file.headers['content-encoding'], file.headers['cache-control']]).toEqual([
    'br',
    expect.stringContaining('immutable'),
  ]);
  const again = await ask(script, { headers: { 'if-none-match': file.headers.etag } });
  expect(again.status).toBe(304);

  const signedIn = await ask('/api/customers/sessions/sign_in', {
    host: PORTAL,
    body: { email: 'demo@harborline.example', password: 'by ferry across the sound' },
  });
  expect(signedIn.status).toBe(200);
  const cookies = signedIn.headers['set-cookie'] ?? [];
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatch(/; Domain=ferry\.example;.*; Secure/);
  const huge = await ask('/api/customers/sessions/sign_in', {
    host: PORTAL,
    body: { email: 'x'.repeat(200_000) },
  });
  expect(huge.status).toBe(413);

  const asked = await ask('/api/customers/sessions/sign_in', {
    host: PORTAL,
    body: { email: 'demo@harborline.example' },
  });
  expect(asked.status, asked.text).toBe(200);
  const hasLink = () =>
    smtp.caught.some(({ mail }) => mail.text?.includes(`https://${PORTAL}/sessions/magic_link/`));
  await eventually(hasLink, { what: 'the mail with a link to the portal', withinMs: 20_000 });

  proxy.sendTo(second.port);
  expect(await first.signal('SIGTERM')).toBe(0);
  expect((await ask('/')).status).toBe(200);
});

test('a production install without a mail server says what to set', async () => {
  const server = await launch(
    { ...env, SMTP_URL: '', DATA_DIR: install.newDataFolder('4') },
    install.app,
    install.runAs,
  );
  expect(await server.exited).toBe(78);
  expect(server.stderr()).toContain('Set SMTP_URL');
});

test('a process with the keys of the card provider and a mail server runs without the files of the stand-ins', async () => {
  const sandbox = join(install.app, 'src/sandbox');
  for (const name of ['card-provider', 'inbox', 'front-page.ts']) {
    rmSync(join(sandbox, name), { recursive: true });
  }
  const server = await startServer(
    { ...env, ...LIVE_KEYS, DATA_DIR: install.newDataFolder('3') },
    install.app,
    install.runAs,
  );
  expect((await server.send('/', { host: TICKETS })).status).toBe(200);
});

test('the image, the tests and the packages name the same Node', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const versions = readDockerfile().flatMap((line) => /^FROM node:([\d.]+)-slim/.exec(line)?.[1] ?? []);
  expect(new Set(versions)).toEqual(new Set([devDependencies.node]));
});

/** Sends a request to the proxy, as a browser that resolves the host to this machine. */
function ask(path: string, options: RequestOptions = {}): Promise<Reply> {
  return request(proxy.port, path, { host: TICKETS, certificate, ...options });
}
