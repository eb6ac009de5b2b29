import { endpoint } from '#contract/endpoint.ts';

export const listPasses = endpoint('GET', '/api/passes', { auth: 'none' });
export const listPassOffers = endpoint('GET', '/api/orders/{id}/passes', { auth: 'session' });
export const buyPass = endpoint('POST', '/api/customers/passes', {
  auth: 'session',
  idempotency: 'required',
  status: 201,
});
