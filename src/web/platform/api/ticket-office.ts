import * as orders from '#contract/orders/endpoints.ts';
import * as payments from '#contract/payments/endpoints.ts';
import { request } from './request.ts';
import type { Order, Payment, StartedPayment } from './types.ts';

/** Every write takes the caller's idempotency key, so that a try repeated after a dead spot is the same try. */
type Signal = { signal?: AbortSignal | undefined };

export function getOrder(id: string, { signal }: Signal = {}): Promise<Order> {
  return request(orders.getOrder, { params: { id }, signal });
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
