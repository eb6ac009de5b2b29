export const createOrder = {
  method: 'POST',
  path: '/api/orders',
  auth: 'optional',
  idempotency: 'required',
  status: 201,
} as const;

export const getOrder = {
  method: 'GET',
  path: '/api/orders/{id}',
  auth: 'optional',
} as const;

export const changeOrder = {
  method: 'PATCH',
  path: '/api/orders/{id}',
  auth: 'optional',
} as const;

export const cancelOrder = {
  method: 'POST',
  path: '/api/orders/{id}/cancel',
  auth: 'optional',
  idempotency: 'optional',
} as const;

export const startPayment = {
  method: 'POST',
  path: '/api/orders/{id}/payments',
  auth: 'optional',
  idempotency: 'required',
  status: 201,
} as const;

export const listTickets = {
  method: 'GET',
  path: '/api/orders/{id}/tickets',
  auth: 'none',
} as const;
