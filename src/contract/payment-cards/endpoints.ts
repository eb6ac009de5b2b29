export const getPrimaryCard = {
  method: 'GET',
  path: '/api/customers/primary_card',
  auth: 'session',
} as const;

export const listPaymentCards = {
  method: 'GET',
  path: '/api/customers/payment_cards',
  auth: 'session',
} as const;

export const startCardSetup = {
  method: 'POST',
  path: '/api/customers/payment_cards/setup_intent',
  auth: 'session',
  idempotency: 'optional',
  status: 201,
} as const;

export const addPaymentCard = {
  method: 'POST',
  path: '/api/customers/payment_cards',
  auth: 'session',
  idempotency: 'optional',
  status: 201,
} as const;

export const makeCardPrimary = {
  method: 'POST',
  path: '/api/customers/payment_cards/{id}/primary',
  auth: 'session',
  idempotency: 'optional',
} as const;

export const removePaymentCard = {
  method: 'DELETE',
  path: '/api/customers/payment_cards/{id}',
  auth: 'session',
} as const;
