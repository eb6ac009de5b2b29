import { endpoint } from '#contract/endpoint.ts';

export const getPrimaryCard = endpoint('GET', '/api/customers/primary_card', 'session');
export const listPaymentCards = endpoint('GET', '/api/customers/payment_cards', 'session');
export const startCardSetup = endpoint('POST', '/api/customers/payment_cards/setup_intent', 'session', {
  idempotency: 'optional',
  status: 201,
});
export const addPaymentCard = endpoint('POST', '/api/customers/payment_cards', 'session', {
  idempotency: 'optional',
  status: 201,
});
export const makeCardPrimary = endpoint('POST', '/api/customers/payment_cards/{id}/primary', 'session', {
  idempotency: 'optional',
});
export const removePaymentCard = endpoint('DELETE', '/api/customers/payment_cards/{id}', 'session');
