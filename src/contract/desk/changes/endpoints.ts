import { staffEndpoint } from '#contract/endpoint.ts';

const ONCE = { idempotency: 'required' } as const;

export const listStaffJourneys = staffEndpoint(
  'GET',
  '/api/staff/orders/{reference}/journeys',
  'serve_orders',
);
export const quoteStaffChange = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/changes/quote',
  'serve_orders',
);
export const changeStaffOrder = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/changes',
  'serve_orders',
  ONCE,
);
export const quoteFreeChange = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/free_changes/quote',
  'refund_orders',
);
export const makeFreeChange = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/free_changes',
  'refund_orders',
  ONCE,
);
export const rebookStaffOrder = staffEndpoint(
  'POST',
  '/api/staff/orders/{reference}/rebook',
  'serve_orders',
  ONCE,
);
