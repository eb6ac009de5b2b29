import { endpoint } from '#contract/endpoint.ts';

export const createOrder = endpoint('POST', '/api/orders', {
  auth: 'optional',
  idempotency: 'required',
  status: 201,
});
export const getOrder = endpoint('GET', '/api/orders/{id}', { auth: 'optional' });
export const changeOrder = endpoint('PATCH', '/api/orders/{id}', { auth: 'optional' });
export const cancelOrder = endpoint('POST', '/api/orders/{id}/cancel', {
  auth: 'optional',
  idempotency: 'optional',
});
export const startPayment = endpoint('POST', '/api/orders/{id}/payments', {
  auth: 'optional',
  idempotency: 'required',
  status: 201,
});
export const listTickets = endpoint('GET', '/api/orders/{id}/tickets', { auth: 'none' });
