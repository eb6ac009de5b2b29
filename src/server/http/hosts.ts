import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { defaultHeaders } from './security-headers.ts';

export type FetchHandler = (request: Request, env?: unknown) => Response | Promise<Response>;

/** What answers under a host. `headers` are on every answer outside `/api/` that does not set them itself. */
export type Host = { fetch: FetchHandler; headers?: Readonly<Record<string, string>> };

/** Whether the process lives, and whether it can serve; asked by machines under any host name. */
export type HealthChecks = { isReady(): Promise<boolean> };

/**
 * Sends each request to the handler of its Host header and refuses every other host with 421, so that nothing
 * behind it ever has to trust a host name that came with a request.
 * @param hosts by `host` or `host:port`, lower case, as browsers send it
 */
export function dispatchByHost(hosts: ReadonlyMap<string, Host>, health: HealthChecks): RequestListener {
  const listeners = new Map([...hosts].map(([name, host]) => [name, listenerOf(host)]));
  return (incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (path === '/livez') return answer(outgoing, 200, 'alive');
    if (path === '/readyz') return void answerReadiness(outgoing, health);
    if (namesSeveralHosts(incoming)) return refuse(incoming, outgoing, AMBIGUOUS);
    const listener = path.startsWith('/') ? listeners.get(hostOf(incoming)) : undefined;
    if (listener) return listener(incoming, outgoing);
    refuse(incoming, outgoing, MISDIRECTED);
  };
}

function listenerOf({ fetch, headers }: Host): RequestListener {
  const listener = getRequestListener(fetch);
  if (headers === undefined) return (incoming, outgoing) => void listener(incoming, outgoing);
  const lines = Object.entries(headers);
  return (incoming, outgoing) => {
    // The API gathers its own headers, and a header set here would cost each of its answers more.
    if (!incoming.url?.startsWith('/api/')) {
      for (const [name, value] of lines) outgoing.setHeader(name, value);
    }
    void listener(incoming, outgoing);
  };
}

type Refusal = { status: number; code: string; message: string };

const MISDIRECTED: Refusal = {
  status: 421,
  code: 'misdirected_host',
  message: 'This server does not answer for that host.',
};
const AMBIGUOUS: Refusal = {
  status: 400,
  code: 'malformed_request',
  message: 'A request names one host.',
};
/** Whether the unknown host is reached over HTTPS is not known. */
const HEADERS = defaultHeaders({ isSecure: false });
/** A database that hangs is as little use as one that is gone. */
const READY_WITHIN_MS = 3_000;

/** Node keeps the first of several Host headers; a proxy in front may have gone by another. */
function namesSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, code, message }: Refusal,
): void {
  incoming.resume();
  const body = {
    success: false,
    data: null,
    errors: [{ code, message }],
    status_code: status,
    error: message,
  };
  answer(outgoing, status, JSON.stringify(body), 'application/json');
}

function hostOf(incoming: IncomingMessage): string {
  return (incoming.headers.host ?? '').toLowerCase();
}

async function answerReadiness(outgoing: ServerResponse, health: HealthChecks): Promise<void> {
  const isReady = await Promise.race([
    health.isReady().catch(() => false),
    delay(READY_WITHIN_MS, false, { ref: false }),
  ]);
  answer(outgoing, isReady ? 200 : 503, isReady ? 'ready' : 'not ready');
}

function answer(outgoing: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  outgoing.writeHead(status, { ...HEADERS, 'content-type': type, 'cache-control': 'no-store' });
  outgoing.end(body);
}
