import { endpoint } from '#contract/endpoint.ts';

export const getOrderOptions = endpoint('GET', '/api/orders/{id}/options', { auth: 'none' });
export const listOrderJourneys = endpoint('GET', '/api/orders/{id}/options/journeys', { auth: 'none' });
export const rebookOrder = endpoint('POST', '/api/orders/{id}/rebook', {
  auth: 'optional',
  idempotency: 'required',
});
export const keepOpenTicket = endpoint('POST', '/api/orders/{id}/open_ticket', {
  auth: 'optional',
  idempotency: 'required',
});
