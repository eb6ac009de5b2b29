import { endpoint } from '#contract/endpoint.ts';

export const ping = endpoint('GET', '/api/ping', 'none');
export const getSettings = endpoint('GET', '/api/settings/{name}', 'none');
export const getOpenApi = endpoint('GET', '/api/openapi.json', 'none');
