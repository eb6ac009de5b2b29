import { endpoint } from '#contract/endpoint.ts';

export const quoteChange = endpoint('POST', '/api/orders/{id}/changes/quote', { auth: 'optional' });
export const createChange = endpoint('POST', '/api/orders/{id}/changes', {
  auth: 'optional',
  idempotency: 'required',
  status: 201,
});
export const getChange = endpoint('GET', '/api/orders/{id}/changes/{change_id}', { auth: 'optional' });
export const startChangePayment = endpoint('POST', '/api/orders/{id}/changes/{change_id}/payments', {
  auth: 'optional',
  idempotency: 'required',
  status: 201,
});
export const abandonChange = endpoint('DELETE', '/api/orders/{id}/changes/{change_id}', { auth: 'optional' });
