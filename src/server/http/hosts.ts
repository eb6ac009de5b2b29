import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { errorEnvelope } from './respond.ts';
import { defaultHeaders } from './security-headers.ts';

export type FetchHandler = (request: Request, env?: unknown) => Response | Promise<Response>;

/** The handler of a host. `headers` are added to every response outside `/api/` unless it sets them itself. */
export type Host = { fetch: FetchHandler; headers?: Readonly<Record<string, string>> };

/** Liveness and readiness checks, available under any host name. */
export type HealthChecks = { isReady(): Promise<boolean> };

/**
 * Reports the process as not ready for a while before it stops, because a proxy sends requests to it until it has noticed,
 * and fails those that find the port closed.
 */
export function drainBeforeStop(
  health: HealthChecks,
  milliseconds: number,
): HealthChecks & { stop(): Promise<void> } {
  let isStopping = false;
  return {
    isReady: async () => !isStopping && (await health.isReady()),
    async stop() {
      isStopping = true;
      await delay(milliseconds);
    },
  };
}

/**
 * Sends each request to the handler of its Host header and refuses unknown hosts with 421, so that handlers need not
 * trust the request's host name.
 * @param hosts by `host` or `host:port`, lower case, as browsers send it
 */
export function dispatchByHost(hosts: ReadonlyMap<string, Host>, health: HealthChecks): RequestListener {
  const listeners = new Map([...hosts].map(([name, host]) => [name, createListener(host)]));
  return (incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (path === '/livez') return answer(outgoing, 200, 'alive');
    if (path === '/readyz') return void answerReadiness(outgoing, health);
    if (namesSeveralHosts(incoming)) return answerRefusal(incoming, outgoing, AMBIGUOUS);
    const listener = path.startsWith('/') ? listeners.get(getHost(incoming)) : undefined;
    if (listener) return listener(incoming, outgoing);
    answerRefusal(incoming, outgoing, MISDIRECTED);
  };
}

function createListener({ fetch, headers }: Host): RequestListener {
  const listener = getRequestListener(fetch);
  if (headers === undefined) return (incoming, outgoing) => void listener(incoming, outgoing);
  const lines = Object.entries(headers);
  return (incoming, outgoing) => {
    // The API collects its own headers, and setting one here would slow down each of its responses.
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
/** It is unknown whether the unknown host is reached over HTTPS. */
const HEADERS = defaultHeaders({ isSecure: false });
/** A database that does not respond counts as unavailable. */
const READY_WITHIN_MS = 3_000;

/** Node uses the first of several Host headers, a proxy may have used another. */
function namesSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

function answerRefusal(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, code, message }: Refusal,
): void {
  incoming.resume();
  answer(outgoing, status, JSON.stringify(errorEnvelope(status, [{ code, message }])), 'application/json');
}

function getHost(incoming: IncomingMessage): string {
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
  outgoing.writeHead(status, { ...HEADERS, 'content-type': type });
  outgoing.end(body);
}
