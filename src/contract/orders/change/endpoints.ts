import { CREATES, endpoint } from '#contract/endpoint.ts';

export const quoteChange = endpoint('POST', '/api/orders/{id}/changes/quote', 'optional');
export const createChange = endpoint('POST', '/api/orders/{id}/changes', 'optional', CREATES);
export const getUnpaidChange = endpoint('GET', '/api/orders/{id}/unpaid_change', 'optional');
export const getChange = endpoint('GET', '/api/orders/{id}/changes/{change_id}', 'optional');
export const startChangePayment = endpoint(
  'POST',
  '/api/orders/{id}/changes/{change_id}/payments',
  'optional',
  CREATES,
);
export const abandonChange = endpoint('DELETE', '/api/orders/{id}/changes/{change_id}', 'optional');
