import type * as catalogue from '#contract/catalogue/schemas.ts';
import type * as purchase from '#contract/checkout/schemas.ts';
import type * as orders from '#contract/orders/schemas.ts';
import { apiPaths, fillPath } from '#contract/paths.ts';
import type * as sailings from '#contract/sailings/schemas.ts';
import { call } from './call.ts';
import type {
  Catalogue,
  ChangeOrder,
  CreateOrder,
  Hold,
  Order,
  Payment,
  Quote,
  QuoteRequest,
  Sailing,
  SailingsQuery,
  StartedPayment,
} from './types.ts';

/** Every write takes the caller's idempotency key, so that a try repeated after a dead spot is the same try. */
type Signal = { signal?: AbortSignal | undefined };

export function getCatalogue({ signal }: Signal = {}): Promise<Catalogue> {
  return call<catalogue.Catalogue>(apiPaths.catalogue, { signal });
}

export function searchSailings(search: SailingsQuery, { signal }: Signal = {}): Promise<Sailing[]> {
  const { passengers, ...query } = search;
  const party = Object.entries(passengers).map(([code, count]) => [`passengers[${code}]`, count] as const);
  return call<sailings.Sailing[]>(apiPaths.sailings, {
    query: { ...query, ...Object.fromEntries(party) },
    signal,
  });
}

export function createQuote(request: QuoteRequest, { signal }: Signal = {}): Promise<Quote> {
  return call<purchase.Quote>(apiPaths.quotes, { body: request, signal });
}

export function takeHold(quoteId: string, idempotencyKey: string): Promise<Hold> {
  return call<purchase.Hold>(apiPaths.holds, { body: { quoteId }, idempotencyKey });
}

/** With a quote: hold that instead. Without: more time. */
export function changeHold(id: string, change: { quoteId?: string }, idempotencyKey: string): Promise<Hold> {
  return call<purchase.Hold>(fillPath(apiPaths.hold, { id }), {
    method: 'PATCH',
    body: change,
    idempotencyKey,
  });
}

export function releaseHold(id: string): Promise<unknown> {
  return call(fillPath(apiPaths.hold, { id }), { method: 'DELETE', keepalive: true });
}

export function createOrder(order: CreateOrder, idempotencyKey: string): Promise<Order> {
  return call<orders.Order>(apiPaths.orders, { body: order, idempotencyKey });
}

export function getOrder(id: string, { signal }: Signal = {}): Promise<Order> {
  return call<orders.Order>(fillPath(apiPaths.order, { id }), { signal });
}

export function changeOrder(id: string, change: ChangeOrder): Promise<Order> {
  return call<orders.Order>(fillPath(apiPaths.order, { id }), { method: 'PATCH', body: change });
}

export type PaymentWish = {
  paymentCardId?: string;
  saveCard?: boolean;
  /** Less than the total is spent with the card's success. */
  tripCardId?: string;
  tripCardAmount?: number;
};

/** With a saved card it is charged at once; what a customer may do needs their session. */
export function startPayment(
  orderId: string,
  idempotencyKey: string,
  wish: PaymentWish = {},
): Promise<StartedPayment> {
  return call<orders.StartedPayment & { client_secret: string }>(
    fillPath(apiPaths.orderPayments, { id: orderId }),
    {
      body: { method: 'card', ...wish },
      idempotencyKey,
    },
  );
}

/** All of it at once, or nothing. */
export function payWithTripCard(
  orderId: string,
  idempotencyKey: string,
  tripCardId: string,
): Promise<Payment> {
  return call<orders.StartedPayment>(fillPath(apiPaths.orderPayments, { id: orderId }), {
    body: { method: 'trip_card', tripCardId },
    idempotencyKey,
  });
}

export function getPayment(orderId: string, paymentId: string, { signal }: Signal = {}): Promise<Payment> {
  const path = fillPath(apiPaths.orderPayment, { id: orderId, payment_id: paymentId });
  return call<orders.Payment>(path, { signal });
}

export function cancelOrder(id: string, idempotencyKey: string): Promise<Order> {
  return call<orders.Order>(fillPath(apiPaths.orderCancel, { id }), {
    body: {},
    idempotencyKey,
  });
}

export function resendTickets(orderId: string, idempotencyKey: string): Promise<unknown> {
  return call(fillPath(apiPaths.orderResend, { id: orderId }), { body: {}, idempotencyKey });
}

export function lookUpOrder(reference: string, email: string): Promise<Order> {
  return call<orders.Order>(apiPaths.orderLookup, { body: { reference, email } });
}
