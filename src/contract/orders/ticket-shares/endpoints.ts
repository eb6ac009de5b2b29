import { endpoint } from '#contract/endpoint.ts';

export const shareTickets = endpoint('POST', '/api/orders/{id}/shares', 'optional', {
  idempotency: 'optional',
  status: 201,
});
export const listTicketShares = endpoint('GET', '/api/orders/{id}/shares', 'optional');
export const revokeTicketShare = endpoint('DELETE', '/api/orders/{id}/shares/{share_id}', 'optional');
export const getSharedTickets = endpoint('GET', '/api/shared_tickets/{token}', 'none');
export const getSharedTicketsPdf = endpoint('GET', '/api/shared_tickets/{token}/tickets.pdf', 'none');
export const getSharedCalendar = endpoint('GET', '/api/shared_tickets/{token}/calendar.ics', 'none');
