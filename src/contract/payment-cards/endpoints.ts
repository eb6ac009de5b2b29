import { endpoint } from '#contract/endpoint.ts';

export const getPrimaryCard = endpoint('GET', '/api/customers/primary_card', { auth: 'session' });
export const listPaymentCards = endpoint('GET', '/api/customers/payment_cards', { auth: 'session' });
export const startCardSetup = endpoint('POST', '/api/customers/payment_cards/setup_intent', {
  auth: 'session',
  idempotency: 'optional',
  status: 201,
});
export const addPaymentCard = endpoint('POST', '/api/customers/payment_cards', {
  auth: 'session',
  idempotency: 'optional',
  status: 201,
});
export const makeCardPrimary = endpoint('POST', '/api/customers/payment_cards/{id}/primary', {
  auth: 'session',
  idempotency: 'optional',
});
export const removePaymentCard = endpoint('DELETE', '/api/customers/payment_cards/{id}', { auth: 'session' });
