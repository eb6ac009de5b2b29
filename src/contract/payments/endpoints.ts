import { endpoint } from '#contract/endpoint.ts';

export const getPayment = endpoint('GET', '/api/orders/{id}/payments/{payment_id}', 'none');
export const receiveProviderEvent = endpoint('POST', '/api/provider/webhooks', 'none');
