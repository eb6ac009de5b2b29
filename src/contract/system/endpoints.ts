export const ping = {
  method: 'GET',
  path: '/api/ping',
  auth: 'none',
} as const;

export const getSettings = {
  method: 'GET',
  path: '/api/settings/{name}',
  auth: 'none',
} as const;

export const getOpenApi = {
  method: 'GET',
  path: '/api/openapi.json',
  auth: 'none',
} as const;
