import { createServer, type RequestListener, type Server } from 'node:http';

/** Limits for slow clients. Milliseconds. */
export type HttpLimits = {
  /** From the first byte (or from connecting, before the first byte) to the end of the headers. */
  headersTimeout: number;
  /** From the first byte to the end of the body. */
  requestTimeout: number;
  keepAliveTimeout: number;
  /** Interval at which the two limits above are checked; a connection may exceed its limit by this much. */
  connectionsCheckingInterval: number;
  maxConnections: number;
};

/** Node's defaults allow a minute for headers and five for a body, and are checked twice a minute. */
export const HTTP_LIMITS: HttpLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  maxConnections: 5_000,
};

/** How long requests in progress may take after the server was asked to close. */
const CLOSE_WITHIN_MS = 5_000;

/** An HTTP server that closes connections of slow senders. */
export function createHttpServer(listener: RequestListener, limits: HttpLimits = HTTP_LIMITS): Server {
  const { maxConnections, ...timeouts } = limits;
  const server = createServer(timeouts, listener);
  server.maxConnections = maxConnections;
  return server;
}

/** Lets requests in progress finish and closes idle connections. */
export function closeHttpServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS).unref();
  });
}
