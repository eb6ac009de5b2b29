import { createServer, type RequestListener, type Server } from 'node:http';

/** How long and how many connections may be kept busy by one who sends little or nothing. Milliseconds. */
export type HttpLimits = {
  /** From the first byte, or from connecting when none comes, to the end of the headers. */
  headersTimeout: number;
  /** From the first byte to the end of the body. */
  requestTimeout: number;
  keepAliveTimeout: number;
  /** How often the two limits above are looked at; a connection may outlive its limit by this much. */
  connectionsCheckingInterval: number;
  maxConnections: number;
};

/** Node by itself lets a header drip in for a minute and a body for five, and looks twice a minute. */
export const HTTP_LIMITS: HttpLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  maxConnections: 5_000,
};

/** How long requests under way may take after the server was asked to close. */
const CLOSE_WITHIN_MS = 5_000;

/** An HTTP server that does not let slow senders hold its connections. */
export function createHttpServer(listener: RequestListener, limits: HttpLimits = HTTP_LIMITS): Server {
  const { maxConnections, ...timeouts } = limits;
  const server = createServer(timeouts, listener);
  server.maxConnections = maxConnections;
  return server;
}

/** Lets requests under way finish; whoever keeps an idle connection is let go. */
export function closeHttpServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS).unref();
  });
}
