import type { Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import { createRegistrationRoutes } from './accounts/registration-routes.ts';
import { createAccountRoutes } from './accounts/routes.ts';
import { createCheckoutRoutes } from './checkout/routes.ts';
import { isDatabaseUnavailable } from './database/unavailable.ts';
import type { Deps } from './deps.ts';
import { type ApiEnv, createRouter } from './http/api.ts';
import { ApiError } from './http/api-error.ts';
import { apiLimits } from './http/api-limits.ts';
import { cors, refuseForeignOrigins } from './http/cors.ts';
import { requestContext, requestLog } from './http/request-log.ts';
import { ok, refuse } from './http/respond.ts';
import { apiHeaders } from './http/security-headers.ts';
import { unmatched } from './http/unmatched.ts';
import { describeError } from './log.ts';
import { createPaymentCardRoutes } from './payment-cards/routes.ts';
import { createPaymentRoutes } from './payments/routes.ts';
import { createSailingsRoutes } from './sailings/sailings-routes.ts';
import { createSecurityRoutes } from './security/routes.ts';
import { createSettingsRoutes } from './settings/routes.ts';
import { createSignInRoutes } from './sign-in/routes.ts';
import { createTicketRoutes } from './tickets/routes.ts';
import { createTripCardRoutes } from './trip-cards/routes.ts';

/**
 * The API of the product, the same on the ticket host and the portal. Knows no port and no environment.
 * @param options isLimited: false where the clock stands still, and a minute's limit would never end; noteFailure: is
 * told of every error that was not meant for the caller
 */
export function createApp(
  deps: Deps,
  { isLimited = true, noteFailure = (_: unknown) => {} } = {},
): Hono<ApiEnv> {
  const app = createRouter();
  app.use(
    apiHeaders(),
    requestContext(deps.config),
    requestLog(deps.log),
    cors(deps.config),
    refuseForeignOrigins(deps.config),
  );
  if (isLimited) app.use(apiLimits(deps));
  app.get(apiPaths.ping, (c) => ok(c, { pong: true }, { top: { pong: true } }));
  app.route('/', createSettingsRoutes(deps));
  app.route('/', createSailingsRoutes(deps));
  app.route('/', createSignInRoutes(deps));
  app.route('/', createRegistrationRoutes(deps));
  app.route('/', createAccountRoutes(deps));
  app.route('/', createSecurityRoutes(deps));
  app.route('/', createTicketRoutes(deps));
  app.route('/', createCheckoutRoutes(deps));
  app.route('/', createPaymentRoutes(deps));
  app.route('/', createTripCardRoutes(deps));
  app.route('/', createPaymentCardRoutes(deps));
  app.notFound((c) => refuse(c, unmatched(c)));
  app.onError((error, c) => {
    if (error instanceof ApiError) return refuse(c, error);
    noteFailure(error);
    deps.log.error('request failed', { request_id: c.var.requestId ?? null, ...describeError(error) });
    if (isDatabaseUnavailable(error)) return refuse(c, new ApiError('unavailable', { retryAfter: 5 }));
    return refuse(c, new ApiError('internal_server_error'));
  });
  return app;
}
