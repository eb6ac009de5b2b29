import { CREATES, endpoint } from '#contract/endpoint.ts';

export const listPasses = endpoint('GET', '/api/passes', 'none');
export const listPassOffers = endpoint('GET', '/api/orders/{id}/passes', 'session');
export const buyPass = endpoint('POST', '/api/customers/passes', 'session', CREATES);
