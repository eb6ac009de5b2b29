import { endpoint } from '#contract/endpoint.ts';

export const createQuote = endpoint('POST', '/api/quotes', { auth: 'none' });
export const takeHold = endpoint('POST', '/api/holds', {
  auth: 'none',
  idempotency: 'required',
  status: 201,
});
export const changeHold = endpoint('PATCH', '/api/holds/{id}', { auth: 'none', idempotency: 'optional' });
export const releaseHold = endpoint('DELETE', '/api/holds/{id}', { auth: 'none' });
