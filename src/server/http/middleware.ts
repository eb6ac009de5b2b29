import { randomUUID } from 'node:crypto';
import type { SessionKind } from '#contract/hosts.ts';
import { SOURCE_LANGUAGE } from '#messages/languages.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { whileOpen } from '../core/open-requests.ts';
import { withRequestId } from '../core/request-id.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import type { HttpContext, RouteHandler } from './api.ts';
import { ApiError } from './api-error.ts';
import { createApiLimits } from './api-limits.ts';
import { createOriginCheck } from './cors.ts';
import { getRemoteAddress, logRequest } from './request-log.ts';
import { answerError } from './respond.ts';
import { apiHeaders } from './security-headers.ts';

type Dependencies = Pick<Context, 'config' | 'db' | 'vault' | 'clock' | 'log' | 'metrics'>;

/**
 * Adds headers, request id, log, CORS, limits and the response to errors to a handler. `route`: the pattern of its paths,
 * for the log. `kind`: of the session that it is for.
 */
export type Middleware = (
  route: string,
  handler: RouteHandler,
  kind?: SessionKind,
) => (c: HttpContext) => Promise<Response>;

export type MiddlewareOptions = {
  /** False disables rate limits, for a clock that stands still. */
  isLimited?: boolean;
  /** The operator's language, without asking the database, because errors tell that it is unavailable. */
  getOperatorLanguage?: () => string;
  /** Receives every unexpected error. */
  noteFailure?: (error: unknown) => void;
};

/**
 * Creates the middleware of all calls: one function around each handler, because a chain of Hono's middleware takes a
 * small request a quarter of its processor time.
 */
export function createMiddleware(
  context: Dependencies,
  {
    isLimited = true,
    getOperatorLanguage = () => SOURCE_LANGUAGE,
    noteFailure = () => {},
  }: MiddlewareOptions = {},
): Middleware {
  const { proxyHops } = context.config;
  const checkOrigin = createOriginCheck(context.config);
  const limits = isLimited ? createApiLimits(context) : null;

  function respondToError(c: HttpContext, error: unknown): Response {
    if (error instanceof ApiError) return answerError(c, error);
    noteFailure(error);
    context.log.error('request failed', describeError(error));
    if (isDatabaseUnavailable(error)) return answerError(c, new ApiError('unavailable', { retryAfter: 5 }));
    return answerError(c, new ApiError('internal_server_error'));
  }

  return (route, handler, kind = 'customer') => {
    const respond = async (c: HttpContext): Promise<Response> => {
      const start = performance.now();
      let response: Response;
      try {
        response = checkOrigin(c, kind) ?? (await (limits ? limits(c, handler, kind) : handler(c)));
      } catch (error) {
        response = respondToError(c, error);
      }
      const milliseconds = performance.now() - start;
      logRequest(context, { method: c.req.method, route, status: response.status, milliseconds });
      return response;
    };
    return (c) => {
      const requestId = randomUUID();
      c.set('headers', apiHeaders(requestId));
      c.set('getOperatorLanguage', getOperatorLanguage);
      c.set('readRemoteAddress', () => getRemoteAddress(c, proxyHops));
      return withRequestId(requestId, () => whileOpen(() => respond(c)));
    };
  };
}
