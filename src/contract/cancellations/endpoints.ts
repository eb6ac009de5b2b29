import { endpoint } from '#contract/endpoint.ts';

export const quoteCancellation = endpoint('POST', '/api/orders/{id}/cancellations/quote', {
  auth: 'optional',
});
export const mailCancellationCode = endpoint('POST', '/api/orders/{id}/cancellations/code', {
  auth: 'optional',
  idempotency: 'optional',
});
export const cancelTickets = endpoint('POST', '/api/orders/{id}/cancellations', {
  auth: 'optional',
  idempotency: 'required',
  status: 201,
});
