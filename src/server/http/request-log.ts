import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import { withRequestId } from '../core/request-id.ts';
import type { ApiEnv, HttpContext } from './api.ts';
import { getClientAddress } from './client-address.ts';

/** Bindings of the Node adapter; absent if the app is called without a socket. */
type NodeBindings = { incoming?: IncomingMessage; outgoing?: ServerResponse } | undefined;

/** Gives each request an id, which its response, log lines and jobs carry, and determines the client's address. */
export function requestContext({ proxyHops }: Pick<Config, 'proxyHops'>): MiddlewareHandler<ApiEnv> {
  return (c, next) => {
    const requestId = randomUUID();
    c.set('readRemoteAddress', () => getRemoteAddress(c, proxyHops));
    c.get('headers')['X-Request-Id'] = requestId;
    return withRequestId(requestId, next);
  };
}

/**
 * Logs one line per request without private data: the route's pattern instead of the path (an order's id grants
 * access), no query, address or names. Counts it too.
 */
export function requestLog(context: { log: Log; metrics: Metrics }): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const start = performance.now();
    await next();
    const { method } = c.req;
    const { status } = c.res;
    const route = routePath(c, -1);
    const milliseconds = performance.now() - start;
    context.metrics.countRequest({ method, route, status, milliseconds });
    context.log.info('request', {
      ...{ method, route, status },
      ms: Math.round(milliseconds),
    });
  };
}

function getRemoteAddress(c: HttpContext, proxyHops: number): string {
  const { incoming } = (c.env as NodeBindings) ?? {};
  return getClientAddress(incoming?.socket.remoteAddress, c.req.header('x-forwarded-for'), proxyHops);
}
