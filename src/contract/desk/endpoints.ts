import { staffEndpoint } from '../endpoint.ts';

export const getDeskBoard = staffEndpoint('GET', '/api/staff/desk/board', 'see_orders');
export const getDeskBoat = staffEndpoint('GET', '/api/staff/desk/boats/{id}', 'see_orders');
export const previewBoatChange = staffEndpoint(
  'POST',
  '/api/staff/desk/boats/{id}/changes/preview',
  'change_sailings',
);
export const changeBoat = staffEndpoint('POST', '/api/staff/desk/boats/{id}/changes', 'change_sailings', {
  idempotency: 'required',
});
export const previewPortClosure = staffEndpoint(
  'POST',
  '/api/staff/desk/ports/{code}/closures/preview',
  'change_sailings',
);
export const closePort = staffEndpoint('POST', '/api/staff/desk/ports/{code}/closures', 'change_sailings', {
  idempotency: 'required',
});
export const previewUndoBoatChanges = staffEndpoint(
  'POST',
  '/api/staff/desk/changes/undo/preview',
  'change_sailings',
);
export const undoBoatChanges = staffEndpoint('POST', '/api/staff/desk/changes/undo', 'change_sailings');
export const listWork = staffEndpoint('GET', '/api/staff/desk/work', 'see_orders');
export const closeFare = staffEndpoint('POST', '/api/staff/desk/fares/{id}/close', 'serve_orders');
export const payOutRefund = staffEndpoint('POST', '/api/staff/desk/refunds/{id}/paid_out', 'refund_orders');
