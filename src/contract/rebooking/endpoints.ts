import { endpoint } from '#contract/endpoint.ts';

export const getOrderOptions = endpoint('GET', '/api/orders/{id}/options', { auth: 'none' });
export const rebookOrder = endpoint('POST', '/api/orders/{id}/rebook', {
  auth: 'optional',
  idempotency: 'required',
});
