export const listTicketKeys = {
  method: 'GET',
  path: '/api/keys',
  auth: 'none',
} as const;

export const getTicketsPdf = {
  method: 'GET',
  path: '/api/orders/{id}/tickets.pdf',
  auth: 'none',
} as const;

export const getCalendar = {
  method: 'GET',
  path: '/api/orders/{id}/calendar.ics',
  auth: 'none',
} as const;

export const resendTickets = {
  method: 'POST',
  path: '/api/orders/{id}/resend',
  auth: 'none',
  idempotency: 'optional',
} as const;

export const lookUpOrder = {
  method: 'POST',
  path: '/api/orders/lookup',
  auth: 'none',
} as const;
