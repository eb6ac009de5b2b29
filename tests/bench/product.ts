import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#tests/setup/engine.ts';

export type Product = {
  port: number;
  pid: number;
  /** From the start of the process until `/readyz` answered 200. */
  readyMs: number;
  /** `http://tickets.ferry.localhost:port` and the like; browsers find them on loopback. */
  origin(subdomain: string): string;
  /** Calls the API like a browser on the ticket host. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  stop(): Promise<void>;
};

export type CallOptions = { body?: unknown; headers?: Record<string, string> };
export type Reply = { status: number; data: unknown };

const READY_WITHIN_MS = 120_000;
const POLL_MS = 20;

/** The real server in a separate process with separate data. */
export async function startProduct(environment: Record<string, string> = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-bench-'));
  const port = await freePort();
  const logFile = join(folder, 'log');
  const output = openSync(logFile, 'w');
  const started = performance.now();
  const child = spawn(process.execPath, ['src/server/main.js'], {
    stdio: ['ignore', output, output],
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PAYMENTS: 'sandbox',
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      ...environment,
    },
  });
  closeSync(output);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const host = `tickets.ferry.localhost:${port}`;
  const product: Product = {
    port,
    pid: child.pid ?? 0,
    readyMs: Number.NaN,
    origin: (subdomain) => `http://${subdomain}.ferry.localhost:${port}`,
    call: (method, path, options) => call({ agent, port, host, method, path, ...options }),
    async stop() {
      agent.destroy();
      child.kill('SIGTERM');
      const patience = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(patience);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  while (performance.now() < started + READY_WITHIN_MS && child.exitCode === null) {
    const ready = await product.call('GET', '/readyz').catch(() => null);
    if (ready?.status === 200) return { ...product, readyMs: performance.now() - started };
    await delay(POLL_MS);
  }
  const log = readFileSync(logFile, 'utf8').slice(-2000);
  await product.stop();
  throw new Error(`The product did not start:\n${log}`);
}

type Call = CallOptions & { agent: Agent; port: number; host: string; method: string; path: string };

/** Node's resolver knows no `*.localhost`, so the address and the host name are given apart. */
function call({ agent, port, host, method, path, body, headers }: Call): Promise<Reply> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: {
        host,
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
        ...headers,
      },
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.once('error', reject);
      response.once('end', () => {
        const isJson = (response.headers['content-type'] ?? '').includes('json');
        const data = isJson ? (JSON.parse(text) as { data: unknown; errors: unknown }) : text;
        resolve({
          status: response.statusCode ?? 0,
          data: typeof data === 'string' ? data : (data.data ?? data.errors),
        });
      });
    });
    sent.end(payload);
  });
}
