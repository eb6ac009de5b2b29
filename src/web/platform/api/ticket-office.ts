import * as checkout from '#contract/checkout/endpoints.ts';
import * as orders from '#contract/orders/endpoints.ts';
import * as payments from '#contract/payments/endpoints.ts';
import * as sailings from '#contract/sailings/endpoints.ts';
import * as tickets from '#contract/tickets/endpoints.ts';
import { request } from './request.ts';
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
  return request(sailings.getCatalogue, { signal });
}

export function searchSailings(search: SailingsQuery, { signal }: Signal = {}): Promise<Sailing[]> {
  return request(sailings.searchSailings, { query: search, signal });
}

export function createQuote(party: QuoteRequest, { signal }: Signal = {}): Promise<Quote> {
  return request(checkout.createQuote, { body: party, signal });
}

export function takeHold(quoteId: string, idempotencyKey: string): Promise<Hold> {
  return request(checkout.takeHold, { body: { quoteId }, idempotencyKey });
}

/** With a quote: hold that instead. Without: more time. */
export function changeHold(id: string, change: { quoteId?: string }, idempotencyKey: string): Promise<Hold> {
  return request(checkout.changeHold, { params: { id }, body: change, idempotencyKey });
}

export function releaseHold(id: string): Promise<unknown> {
  return request(checkout.releaseHold, { params: { id }, keepalive: true });
}

export function createOrder(order: CreateOrder, idempotencyKey: string): Promise<Order> {
  return request(orders.createOrder, { body: order, idempotencyKey });
}

export function getOrder(id: string, { signal }: Signal = {}): Promise<Order> {
  return request(orders.getOrder, { params: { id }, signal });
}

export function changeOrder(id: string, change: ChangeOrder): Promise<Order> {
  return request(orders.changeOrder, { params: { id }, body: change });
}

export type PaymentWish = {
  paymentCardId?: string;
  saveCard?: boolean;
  /** Less than the total is spent with the card's success. */
  tripCardId?: string;
  tripCardAmount?: number;
};

/** With a saved card it is charged at once; what a customer may do needs their session. */
export async function startPayment(
  orderId: string,
  idempotencyKey: string,
  wish: PaymentWish = {},
): Promise<StartedPayment> {
  const started = await request(orders.startPayment, {
    params: { id: orderId },
    body: { method: 'card', ...wish },
    idempotencyKey,
  });
  // A payment with a card always has one.
  return { ...started, clientSecret: started.clientSecret ?? '' };
}

/** All of it at once, or nothing. */
export function payWithTripCard(
  orderId: string,
  idempotencyKey: string,
  tripCardId: string,
): Promise<Payment> {
  return request(orders.startPayment, {
    params: { id: orderId },
    body: { method: 'trip_card', tripCardId },
    idempotencyKey,
  });
}

export function getPayment(orderId: string, paymentId: string, { signal }: Signal = {}): Promise<Payment> {
  return request(payments.getPayment, { params: { id: orderId, payment_id: paymentId }, signal });
}

export function cancelOrder(id: string, idempotencyKey: string): Promise<Order> {
  return request(orders.cancelOrder, { params: { id }, idempotencyKey });
}

export function resendTickets(orderId: string, idempotencyKey: string): Promise<unknown> {
  return request(tickets.resendTickets, { params: { id: orderId }, idempotencyKey });
}

export function lookUpOrder(reference: string, email: string): Promise<unknown> {
  return request(tickets.lookUpOrder, { body: { reference, email } });
}
