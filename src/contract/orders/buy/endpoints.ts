import { CREATES, endpoint } from '#contract/endpoint.ts';

export const createQuote = endpoint('POST', '/api/quotes', 'none');
export const takeHold = endpoint('POST', '/api/holds', 'none', CREATES);
export const changeHold = endpoint('PATCH', '/api/holds/{id}', 'none', { idempotency: 'optional' });
export const releaseHold = endpoint('DELETE', '/api/holds/{id}', 'none');
