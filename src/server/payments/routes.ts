import type { Context, Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import { type StartPayment, StartPaymentSchema } from '#contract/purchase.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { deviceOf } from '../http/device-name.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { readId } from '../http/params.ts';
import { readJson, readText } from '../http/read.ts';
import { ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { findSession, signedInOf } from '../http/session.ts';
import type { PaymentWish } from './payment-wish.ts';
import { readPayment } from './read-payment.ts';
import { startPayment } from './start-payment.ts';
import type { TripCardWish } from './trip-card-part.ts';
import { applyEvent, readEvent } from './webhooks.ts';

/** Paying an order, and what the card provider tells. */
export function createPaymentRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();

  routes.post(honoPath(apiPaths.orderPayments), findSession(deps), async (c) => {
    const id = readId(c);
    const body = await readJson(c, StartPaymentSchema);
    const wish = wishOf(c, body);
    return withIdempotency(deps, c, body, async () =>
      ok(c, await startPayment(deps, id, c.var.remoteAddress, wish), { status: 201 }),
    );
  });

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

/**
 * What the customer wants besides paying; null for a visitor, who may want none of it.
 * @throws {ApiError} unauthenticated, invalid_input for wishes that do not go together
 */
function wishOf(c: Context<ApiEnv>, body: StartPayment): PaymentWish | null {
  const { payment_card_id: paymentCardId = null, save_card: isToBeSaved = false } = body;
  const tripCard = tripCardOf(body);
  if (paymentCardId === null && !isToBeSaved && tripCard === null) return null;
  if (paymentCardId !== null && isToBeSaved) throw new ApiError('invalid_input', { field: 'save_card' });
  const { customerId, sessionId } = signedInOf(c);
  return {
    customerId,
    sessionId,
    device: deviceOf(c),
    paymentCardId,
    isToBeSaved,
    tripCard: tripCard && { customerId, ...tripCard },
  };
}

function tripCardOf(body: StartPayment): Omit<TripCardWish, 'customerId'> | null {
  const { method, trip_card_id: tripCardId, trip_card_amount: amount = null } = body;
  const isWhole = method === 'trip_card';
  if (tripCardId === undefined) {
    if (isWhole) throw new ApiError('invalid_input', { field: 'trip_card_id' });
    if (amount !== null) throw new ApiError('invalid_input', { field: 'trip_card_amount' });
    return null;
  }
  if (isWhole && (body.payment_card_id !== undefined || body.save_card)) {
    throw new ApiError('invalid_input', { field: 'method' });
  }
  return { tripCardId, amount, isWhole };
}
