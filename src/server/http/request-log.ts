import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../core/log.ts';
import type { FinishedRequest, Metrics } from '../core/metrics.ts';
import type { HttpContext } from './api.ts';
import { getClientAddress } from './client-address.ts';

/** Bindings of the Node adapter; absent if the app is called without a socket. */
type NodeBindings = { incoming?: IncomingMessage; outgoing?: ServerResponse } | undefined;

/**
 * Logs one line per request without private data: the route's pattern instead of the path (an order's id grants
 * access), no query, address or names. Counts it too.
 */
export function logRequest(context: { log: Log; metrics: Metrics }, request: FinishedRequest): void {
  context.metrics.countRequest(request);
  const { method, route, status, milliseconds } = request;
  context.log.info('request', { method, route, status, ms: Math.round(milliseconds) });
}

/** The client's address, for limits only. */
export function getRemoteAddress(c: HttpContext, proxyHops: number): string {
  const { incoming } = (c.env as NodeBindings) ?? {};
  return getClientAddress(incoming?.socket.remoteAddress, c.req.header('x-forwarded-for'), proxyHops);
}
