import type { Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { readId } from '../http/params.ts';
import { readText } from '../http/read.ts';
import { ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { readPayment } from './read-payment.ts';
import { applyEvent, readEvent } from './webhooks.ts';

/** How a payment stands, and what the card provider tells. */
export function createPaymentRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();

  routes.get(honoPath(apiPaths.orderPayment), async (c) =>
    ok(c, await readPayment(deps, readId(c), readId(c, 'payment_id'))),
  );

  routes.post(apiPaths.providerWebhooks, async (c) => {
    // An event with its object may be larger than what a browser sends.
    const body = await readText(c, 512 * 1024);
    await applyEvent(deps, await readEvent(deps, body, c.req.header('stripe-signature')));
    return ok(c, { received: true });
  });

  return routes;
}
