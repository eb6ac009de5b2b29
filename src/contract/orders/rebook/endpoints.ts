import { endpoint } from '#contract/endpoint.ts';

export const getOrderOptions = endpoint('GET', '/api/orders/{id}/options', 'none');
export const listOrderJourneys = endpoint('GET', '/api/orders/{id}/options/journeys', 'none');
export const rebookOrder = endpoint('POST', '/api/orders/{id}/rebook', 'optional', {
  idempotency: 'required',
});
export const keepOpenTicket = endpoint('POST', '/api/orders/{id}/open_ticket', 'optional', {
  idempotency: 'required',
});
