import { endpoint } from '#contract/endpoint.ts';

export const listTicketKeys = endpoint('GET', '/api/keys', 'none');
export const getTicketsPdf = endpoint('GET', '/api/orders/{id}/tickets.pdf', 'none');
export const getCalendar = endpoint('GET', '/api/orders/{id}/calendar.ics', 'none');
export const resendTickets = endpoint('POST', '/api/orders/{id}/resend', 'none', { idempotency: 'optional' });
export const lookUpOrder = endpoint('POST', '/api/orders/lookup', 'none');
