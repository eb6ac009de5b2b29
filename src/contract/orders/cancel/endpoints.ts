import { CREATES, endpoint } from '#contract/endpoint.ts';

export const quoteCancellation = endpoint('POST', '/api/orders/{id}/cancellations/quote', 'optional');
export const mailCancellationCode = endpoint('POST', '/api/orders/{id}/cancellations/code', 'optional', {
  idempotency: 'optional',
});
export const proveBuyer = endpoint('POST', '/api/orders/{id}/buyer', 'optional');
export const cancelTickets = endpoint('POST', '/api/orders/{id}/cancellations', 'optional', CREATES);
