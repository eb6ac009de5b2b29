import { CREATES, endpoint } from '#contract/endpoint.ts';

export const createOrder = endpoint('POST', '/api/orders', 'optional', CREATES);
export const getOrder = endpoint('GET', '/api/orders/{id}', 'optional');
export const changeOrder = endpoint('PATCH', '/api/orders/{id}', 'optional');
export const cancelOrder = endpoint('POST', '/api/orders/{id}/cancel', 'optional', {
  idempotency: 'optional',
});
export const startPayment = endpoint('POST', '/api/orders/{id}/payments', 'optional', CREATES);
export const listTickets = endpoint('GET', '/api/orders/{id}/tickets', 'none');
