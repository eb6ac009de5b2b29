import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#tests/setup/engine.ts';
import { type RequestOptions, request } from './http-client.ts';
import { eventually, newFolder, root } from './server-process.ts';

const HOST = 'tickets.ferry.localhost';
const isInstalled = spawnSync('caddy', ['version']).status === 0;

/** deploy/Caddyfile on another port, in front of two servers that say what reaches them. */
describe.runIf(isInstalled)('the proxy', () => {
  const folder = newFolder();
  const servers: { port: number; isReady: boolean; server: Server }[] = [];
  let port: number;
  let certificate: Buffer;
  let stop = async () => {};

  beforeAll(async () => {
    servers.push(await openServer(), await openServer());
    port = await freePort();
    stop = await startCaddy();
  });
  afterAll(async () => {
    await stop();
    for (const { server } of servers) server.close().closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  async function openServer() {
    const server = createServer((incoming, outgoing) => {
      if (incoming.url === '/readyz') return outgoing.writeHead(own.isReady ? 200 : 503).end();
      const { headers } = incoming;
      incoming.resume().on('end', () => {
        outgoing.setHeader('content-type', 'application/json');
        outgoing.end(JSON.stringify({ headers, port: own.port, padding: 'x'.repeat(2000) }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const own = { port: (server.address() as AddressInfo).port, isReady: true, server };
    return own;
  }

  /** The file as Caddy reads it, with a free port. Caddy's own authority stays unknown to this machine. */
  async function startCaddy(): Promise<() => Promise<void>> {
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      XDG_DATA_HOME: folder,
      PROXY_HOSTS: HOST,
      SERVERS: servers.map((each) => `127.0.0.1:${each.port}`).join(' '),
      CDN_NETWORKS: '127.0.0.2/32',
    };
    const file = join(root, 'deploy/Caddyfile');
    const adapted = execFileSync('caddy', ['adapt', '--adapter', 'caddyfile', '--config', file], {
      env,
      encoding: 'utf8',
    });
    const config = JSON.parse(adapted);
    const [server] = Object.values<{ listen: string[]; automatic_https?: object }>(config.apps.http.servers);
    Object.assign(server ?? {}, { listen: [`:${port}`], automatic_https: { disable_redirects: true } });
    config.apps.pki = { certificate_authorities: { local: { install_trust: false } } };
    config.admin = { disabled: true };
    const child = spawn('caddy', ['run', '--config', '-'], { env, stdio: ['pipe', 'ignore', 'ignore'] });
    const exited = new Promise((resolve) => child.once('close', resolve));
    child.stdin.end(JSON.stringify(config));
    const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
    const isServing = async () => {
      certificate = readFileSync(authority);
      return (await ask()).status === 200;
    };
    await eventually(() => isServing().catch(() => false), { what: 'Caddy to serve', withinMs: 20_000 });
    return async () => {
      child.kill('SIGKILL');
      await exited;
    };
  }

  const ask = (options: RequestOptions = {}) => request(port, '/', { host: HOST, certificate, ...options });

  async function reachesServer(headers: IncomingHttpHeaders = {}): Promise<IncomingHttpHeaders> {
    return (await ask({ headers })).json().headers;
  }

  test('keeps the Host header and names the caller, whatever the caller says', async () => {
    const reached = await reachesServer({ 'x-forwarded-for': '203.0.113.9' });
    expect(reached).toMatchObject({ host: HOST, 'x-forwarded-for': '127.0.0.1' });
    expect(reached['x-forwarded-proto']).toBe('https');
  });

  const answeredBy = async () => (await ask()).json().port as number;

  test('refuses bodies of more than two megabytes, and keeps using the servers that they were meant for', async () => {
    expect((await ask({ body: 'x'.repeat(1_900_000) })).status).toBe(200);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect((await ask({ body: 'x'.repeat(2_100_000) })).status).not.toBe(200);
    }
    expect(new Set([await answeredBy(), await answeredBy()]).size).toBe(2);
  });

  test('compresses answers of the API', async () => {
    const packed = await ask({ headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
  });

  test('sends requests to the other server once one is not ready or was killed', async () => {
    const [leaving, staying] = servers;
    if (leaving) leaving.isReady = false;
    const isLeft = async () => {
      const asked = await Promise.all([answeredBy(), answeredBy(), answeredBy(), answeredBy()]);
      return asked.every((each) => each === staying?.port);
    };
    await eventually(isLeft, { what: 'the proxy to notice', withinMs: 10_000 });
    if (leaving) leaving.isReady = true;
    const isBack = async () => new Set([await answeredBy(), await answeredBy()]).size === 2;
    await eventually(isBack, { what: 'the proxy to use both again', withinMs: 10_000 });
    leaving?.server.close().closeAllConnections();
    const read = await Promise.all(Array.from({ length: 6 }, () => ask()));
    expect(read.map(({ status }) => status)).toEqual(Array(6).fill(200));
  });
});
