import { endpoint } from '#contract/endpoint.ts';

export const ping = endpoint('GET', '/api/ping', { auth: 'none' });
export const getSettings = endpoint('GET', '/api/settings/{name}', { auth: 'none' });
export const getOpenApi = endpoint('GET', '/api/openapi.json', { auth: 'none' });
