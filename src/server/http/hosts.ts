import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';

export type FetchHandler = (request: Request, env?: unknown) => Response | Promise<Response>;

/** Whether the process lives, and whether it can serve; asked by machines under any host name. */
export type HealthChecks = { isReady(): Promise<boolean> };

/**
 * Sends each request to the handler of its Host header and refuses every other host with 421, so that nothing
 * behind it ever has to trust a host name that came with a request.
 * @param hosts handlers by `host` or `host:port`, lower case, as browsers send it
 */
export function dispatchByHost(
  hosts: ReadonlyMap<string, FetchHandler>,
  health: HealthChecks,
): RequestListener {
  const listeners = new Map(
    [...hosts].map(([host, handler]) => [
      host,
      getRequestListener(handler, { overrideGlobalObjects: false }),
    ]),
  );
  return (incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (path === '/livez') return answer(outgoing, 200, 'alive');
    if (path === '/readyz') return void answerReadiness(outgoing, health);
    const listener = path.startsWith('/') ? listeners.get(hostOf(incoming)) : undefined;
    if (listener) return void listener(incoming, outgoing);
    incoming.resume();
    answer(outgoing, 421, JSON.stringify(MISDIRECTED), 'application/json');
  };
}

const MISDIRECTED = {
  success: false,
  data: null,
  errors: [{ code: 'misdirected_host', message: 'This server does not answer for that host.' }],
  status_code: 421,
  error: 'This server does not answer for that host.',
};

function hostOf(incoming: IncomingMessage): string {
  return (incoming.headers.host ?? '').toLowerCase();
}

async function answerReadiness(outgoing: ServerResponse, health: HealthChecks): Promise<void> {
  const isReady = await health.isReady().catch(() => false);
  answer(outgoing, isReady ? 200 : 503, isReady ? 'ready' : 'not ready');
}

function answer(outgoing: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  outgoing.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  outgoing.end(body);
}
