import { endpoint } from '#contract/endpoint.ts';

export const listTicketKeys = endpoint('GET', '/api/keys', { auth: 'none' });
export const getTicketsPdf = endpoint('GET', '/api/orders/{id}/tickets.pdf', { auth: 'none' });
export const getCalendar = endpoint('GET', '/api/orders/{id}/calendar.ics', { auth: 'none' });
export const resendTickets = endpoint('POST', '/api/orders/{id}/resend', {
  auth: 'none',
  idempotency: 'optional',
});
export const lookUpOrder = endpoint('POST', '/api/orders/lookup', { auth: 'none' });
