import { CREATES, staffEndpoint } from '#contract/endpoint.ts';

const ONCE = { idempotency: 'required' } as const;

export const quoteStaffCancellation = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/cancellations/quote',
  'serve_orders',
);
export const cancelStaffTickets = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/cancellations',
  'serve_orders',
  ONCE,
);
export const previewStaffRefund = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/refunds/preview',
  'refund_orders',
);
export const refundStaffOrder = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/refunds',
  'refund_orders',
  ONCE,
);
export const askForRefund = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/refund_requests',
  'refund_orders',
  CREATES,
);
export const approveRefund = staffEndpoint(
  'POST',
  '/api/staff/refund_requests/{id}/approval',
  'approve_refunds',
  ONCE,
);
export const refuseRefund = staffEndpoint('DELETE', '/api/staff/refund_requests/{id}', 'refund_orders');
