import type { Context, Hono } from 'hono';
import {
  ChangeHoldSchema,
  ChangeOrderSchema,
  CreateOrderSchema,
  QuoteRequestSchema,
  type StartPayment,
  StartPaymentSchema,
  TakeHoldSchema,
} from '#contract/checkout/schemas.ts';
import { apiPaths } from '#contract/paths.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { networkOf } from '../http/client-address.ts';
import { deviceOf } from '../http/device-name.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { readId } from '../http/params.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { readJson } from '../http/read.ts';
import { ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { findSession, signedInOf } from '../http/session.ts';
import { changeOrder } from '../orders/change-order.ts';
import { presentRecord, presentTickets } from '../orders/presenter.ts';
import { type OrderRecord, requireOrder } from '../orders/queries.ts';
import { cancelUnpaidOrder } from './cancel-order.ts';
import { createOrder } from './create-order.ts';
import { expireHold, releaseHold } from './expire-holds.ts';
import { extendHold, readHold, requireHold, swapHold, takeHold } from './holds.ts';
import type { PaymentInput } from './payment-input.ts';
import { createQuote } from './quotes.ts';
import { startPayment } from './start-payment.ts';
import type { TripCardInput } from './trip-card-part.ts';

/** A whole office behind one address may buy at once; a script that empties the season may not. */
const HOLDS_PER_NETWORK = { name: 'holds', limit: 120, windowSeconds: 600 };

/** Enough for a family at the kitchen table, too few to guess a code. */
const PROMO_CODES_PER_NETWORK = { name: 'promo-codes', limit: 100, windowSeconds: 600 };

/** Buying: price, places, order, payment; and the order as its buyer sees and changes it. */
export function createCheckoutRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();
  const session = findSession(deps);

  routes.post(apiPaths.quotes, async (c) => {
    const body = await readJson(c, QuoteRequestSchema);
    if (body.promo_code) {
      await rateLimit(deps, { ...PROMO_CODES_PER_NETWORK, who: networkOf(c.var.remoteAddress) });
    }
    return ok(c, await createQuote(deps, body));
  });

  routes.post(apiPaths.holds, async (c) => {
    const body = await readJson(c, TakeHoldSchema);
    return withIdempotency(deps, c, body, async (claim) => {
      await rateLimit(deps, { ...HOLDS_PER_NETWORK, who: networkOf(c.var.remoteAddress) });
      return ok(c, await takeHold(deps, body.quote_id, claim), { status: 201 });
    });
  });

  routes.patch(honoPath(apiPaths.hold), async (c) => {
    const id = readId(c);
    const body = await readJson(c, ChangeHoldSchema);
    const change = async () =>
      ok(c, await (body.quote_id ? swapHold(deps, id, body.quote_id) : extendHold(deps, id)));
    return withIdempotency(deps, c, body, change, { isRequired: false });
  });

  routes.delete(honoPath(apiPaths.hold), async (c) => {
    const id = readId(c);
    await requireHold(deps, id);
    await releaseHold(deps, id);
    return ok(c, await readHold(deps, id));
  });

  routes.post(apiPaths.orders, session, async (c) => {
    const body = await readJson(c, CreateOrderSchema);
    return withIdempotency(deps, c, body, async () => {
      const record = await createOrder(deps, body, c.var.signedIn?.customerId ?? null);
      return answerRecord(deps, c, record, 201);
    });
  });

  routes.get(honoPath(apiPaths.order), session, (c) => answerOrder(deps, c, readId(c)));

  routes.patch(honoPath(apiPaths.order), session, async (c) => {
    const id = readId(c);
    await changeOrder(deps, id, await readJson(c, ChangeOrderSchema), c.var.signedIn?.customerId ?? null);
    return answerOrder(deps, c, id);
  });

  routes.post(honoPath(apiPaths.orderCancel), session, async (c) => {
    const id = readId(c);
    const cancel = async () => {
      await cancelUnpaidOrder(deps, id);
      return answerOrder(deps, c, id);
    };
    return withIdempotency(deps, c, null, cancel, { isRequired: false });
  });

  routes.post(honoPath(apiPaths.orderPayments), session, async (c) => {
    const id = readId(c);
    const body = await readJson(c, StartPaymentSchema);
    const wish = paymentInputOf(c, body);
    return withIdempotency(deps, c, body, async () =>
      ok(c, await startPayment(deps, id, c.var.remoteAddress, wish), { status: 201 }),
    );
  });

  routes.get(honoPath(apiPaths.orderTickets), async (c) => {
    return ok(c, presentTickets(await requireOrder(deps, readId(c)), deps.clock.now()));
  });

  return routes;
}

/** The order as the caller may see it; a hold whose time is over expires when it is read. */
async function answerOrder(deps: Deps, c: Context<ApiEnv>, id: string): Promise<Response> {
  let record = await requireOrder(deps, id);
  if (record.hold.status === 'active' && record.hold.expiresAt <= deps.clock.now()) {
    await expireHold(deps, record.hold.id);
    record = await requireOrder(deps, id);
  }
  return answerRecord(deps, c, record, 200);
}

function answerRecord(
  { clock, ticketSigner }: Deps,
  c: Context<ApiEnv>,
  record: OrderRecord,
  status: 200 | 201,
): Response {
  const { customerId } = record.order;
  const isOwner = customerId !== null && customerId === c.var.signedIn?.customerId;
  return ok(c, presentRecord(record, clock.now(), { isOwner, ticketSigner }), { status });
}

/**
 * What the customer wants besides paying; null for a visitor, who may want none of it.
 * @throws {ApiError} unauthenticated, invalid_input for wishes that do not go together
 */
function paymentInputOf(c: Context<ApiEnv>, body: StartPayment): PaymentInput | null {
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

function tripCardOf(body: StartPayment): Omit<TripCardInput, 'customerId'> | null {
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
