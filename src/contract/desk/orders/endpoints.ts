import { CREATES, staffEndpoint } from '#contract/endpoint.ts';

export const findStaffOrders = staffEndpoint('GET', '/api/staff/orders', 'see_orders');
export const getStaffOrder = staffEndpoint('GET', '/api/staff/orders/{reference}', 'see_orders');
export const correctStaffOrder = staffEndpoint('PATCH', '/api/staff/orders/{reference}', 'serve_orders');
export const mailStaffTickets = staffEndpoint('POST', '/api/staff/orders/{reference}/mails', 'serve_orders', {
  idempotency: 'required',
});
export const mailPaymentLink = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/payment_link/mails',
  'serve_orders',
  { idempotency: 'required' },
);
export const cancelPaymentLink = staffEndpoint(
  'DELETE',
  '/api/staff/orders/{reference}/payment_link',
  'serve_orders',
);
export const takeOrderPayment = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/payments',
  'sell_tickets',
  CREATES,
);
export const addOrderNote = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/notes',
  'serve_orders',
  CREATES,
);
export const revokeStaffTicketShare = staffEndpoint(
  'DELETE',
  '/api/staff/orders/{reference}/ticket_shares/{share_id}',
  'serve_orders',
);
export const issueStaffReceipts = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/receipts',
  'serve_orders',
);
