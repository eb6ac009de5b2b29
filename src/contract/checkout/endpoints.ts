export const createQuote = {
  method: 'POST',
  path: '/api/quotes',
  auth: 'none',
} as const;

export const takeHold = {
  method: 'POST',
  path: '/api/holds',
  auth: 'none',
  idempotency: 'required',
  status: 201,
} as const;

export const changeHold = {
  method: 'PATCH',
  path: '/api/holds/{id}',
  auth: 'none',
  idempotency: 'optional',
} as const;

export const releaseHold = {
  method: 'DELETE',
  path: '/api/holds/{id}',
  auth: 'none',
} as const;
