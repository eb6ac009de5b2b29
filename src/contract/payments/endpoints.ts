export const getPayment = {
  method: 'GET',
  path: '/api/orders/{id}/payments/{payment_id}',
  auth: 'none',
} as const;

export const receiveProviderEvent = {
  method: 'POST',
  path: '/api/provider/webhooks',
  auth: 'none',
} as const;
