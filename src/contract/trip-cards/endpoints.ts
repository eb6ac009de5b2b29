import { endpoint } from '#contract/endpoint.ts';

export const listTripCards = endpoint('GET', '/api/customers/trip_cards', { auth: 'session' });
export const addTripCard = endpoint('POST', '/api/customers/trip_cards', {
  auth: 'session',
  idempotency: 'required',
  status: 201,
});
export const getTripCard = endpoint('GET', '/api/customers/trip_cards/{id}', { auth: 'session' });
export const changeTripCard = endpoint('PATCH', '/api/customers/trip_cards/{id}', { auth: 'session' });
export const getTripCardBalance = endpoint('GET', '/api/customers/trip_cards/{id}/balance', {
  auth: 'session',
});
export const getStatement = endpoint('GET', '/api/customers/trip_cards/{id}/statement', { auth: 'session' });
export const getOfflineCode = endpoint('GET', '/api/customers/trip_cards/{id}/offline_code', {
  auth: 'session',
});
export const listTopUps = endpoint('GET', '/api/customers/trip_cards/{id}/top_ups', { auth: 'session' });
export const startTopUp = endpoint('POST', '/api/customers/trip_cards/{id}/top_ups', {
  auth: 'session',
  idempotency: 'required',
  status: 201,
});
export const getTopUp = endpoint('GET', '/api/customers/trip_cards/{id}/top_ups/{top_up_id}', {
  auth: 'session',
});
export const setAutoTopUp = endpoint('PUT', '/api/customers/trip_cards/{id}/auto_top_up', {
  auth: 'session',
});
export const removeAutoTopUp = endpoint('DELETE', '/api/customers/trip_cards/{id}/auto_top_up', {
  auth: 'session',
});
export const freezeTripCard = endpoint('POST', '/api/customers/trip_cards/{id}/freeze', { auth: 'session' });
export const unfreezeTripCard = endpoint('POST', '/api/customers/trip_cards/{id}/unfreeze', {
  auth: 'session',
});
export const replaceLostTripCard = endpoint('POST', '/api/customers/trip_cards/{id}/lost', {
  auth: 'session',
  idempotency: 'optional',
});
export const transferValue = endpoint('POST', '/api/customers/trip_cards/{id}/transfers', {
  auth: 'session',
  idempotency: 'required',
  status: 201,
});
export const shareTripCard = endpoint('POST', '/api/customers/trip_cards/{id}/shares', {
  auth: 'session',
  idempotency: 'optional',
  status: 201,
});
export const revokeShare = endpoint('DELETE', '/api/customers/trip_cards/{id}/shares/{share_id}', {
  auth: 'session',
});
