import { CREATES, endpoint } from '#contract/endpoint.ts';

export const listTripCards = endpoint('GET', '/api/customers/trip_cards', 'session');
export const addTripCard = endpoint('POST', '/api/customers/trip_cards', 'session', CREATES);
export const getTripCard = endpoint('GET', '/api/customers/trip_cards/{id}', 'session');
export const changeTripCard = endpoint('PATCH', '/api/customers/trip_cards/{id}', 'session');
export const getTripCardBalance = endpoint('GET', '/api/customers/trip_cards/{id}/balance', 'session');
export const getStatement = endpoint('GET', '/api/customers/trip_cards/{id}/statement', 'session');
export const getOfflineCode = endpoint('GET', '/api/customers/trip_cards/{id}/offline_code', 'session');
export const listTopUps = endpoint('GET', '/api/customers/trip_cards/{id}/top_ups', 'session');
export const startTopUp = endpoint('POST', '/api/customers/trip_cards/{id}/top_ups', 'session', CREATES);
export const getTopUp = endpoint('GET', '/api/customers/trip_cards/{id}/top_ups/{top_up_id}', 'session');
export const setAutoTopUp = endpoint('PUT', '/api/customers/trip_cards/{id}/auto_top_up', 'session');
export const removeAutoTopUp = endpoint('DELETE', '/api/customers/trip_cards/{id}/auto_top_up', 'session');
export const freezeTripCard = endpoint('POST', '/api/customers/trip_cards/{id}/freeze', 'session');
export const unfreezeTripCard = endpoint('POST', '/api/customers/trip_cards/{id}/unfreeze', 'session');
export const replaceLostTripCard = endpoint('POST', '/api/customers/trip_cards/{id}/lost', 'session', {
  idempotency: 'optional',
});
export const transferValue = endpoint('POST', '/api/customers/trip_cards/{id}/transfers', 'session', CREATES);
export const shareTripCard = endpoint('POST', '/api/customers/trip_cards/{id}/shares', 'session', {
  idempotency: 'optional',
  status: 201,
});
export const revokeShare = endpoint('DELETE', '/api/customers/trip_cards/{id}/shares/{share_id}', 'session');
