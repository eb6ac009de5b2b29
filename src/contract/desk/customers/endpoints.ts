import { staffEndpoint } from '#contract/endpoint.ts';

export const getStaffCustomer = staffEndpoint('GET', '/api/staff/customers/{id}', 'see_orders');
export const unblockCustomer = staffEndpoint('POST', '/api/staff/customers/{id}/unblock', 'serve_orders');
export const replaceStaffTripCard = staffEndpoint('POST', '/api/staff/trip_cards/{id}/lost', 'serve_orders', {
  idempotency: 'required',
});
export const adjustStaffTripCard = staffEndpoint(
  'POST',
  '/api/staff/trip_cards/{id}/adjustments',
  'refund_orders',
  { idempotency: 'required' },
);
