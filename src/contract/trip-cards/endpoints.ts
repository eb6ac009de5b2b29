export const listTripCards = {
  method: 'GET',
  path: '/api/customers/trip_cards',
  auth: 'session',
} as const;

export const addTripCard = {
  method: 'POST',
  path: '/api/customers/trip_cards',
  auth: 'session',
  idempotency: 'required',
  status: 201,
} as const;

export const getTripCard = {
  method: 'GET',
  path: '/api/customers/trip_cards/{id}',
  auth: 'session',
} as const;

export const changeTripCard = {
  method: 'PATCH',
  path: '/api/customers/trip_cards/{id}',
  auth: 'session',
} as const;

export const getTripCardBalance = {
  method: 'GET',
  path: '/api/customers/trip_cards/{id}/balance',
  auth: 'session',
} as const;

export const getStatement = {
  method: 'GET',
  path: '/api/customers/trip_cards/{id}/statement',
  auth: 'session',
} as const;

export const getOfflineCode = {
  method: 'GET',
  path: '/api/customers/trip_cards/{id}/offline_code',
  auth: 'session',
} as const;

export const listTopUps = {
  method: 'GET',
  path: '/api/customers/trip_cards/{id}/top_ups',
  auth: 'session',
} as const;

export const startTopUp = {
  method: 'POST',
  path: '/api/customers/trip_cards/{id}/top_ups',
  auth: 'session',
  idempotency: 'required',
  status: 201,
} as const;

export const getTopUp = {
  method: 'GET',
  path: '/api/customers/trip_cards/{id}/top_ups/{top_up_id}',
  auth: 'session',
} as const;

export const setAutoTopUp = {
  method: 'PUT',
  path: '/api/customers/trip_cards/{id}/auto_top_up',
  auth: 'session',
} as const;

export const removeAutoTopUp = {
  method: 'DELETE',
  path: '/api/customers/trip_cards/{id}/auto_top_up',
  auth: 'session',
} as const;

export const freezeTripCard = {
  method: 'POST',
  path: '/api/customers/trip_cards/{id}/freeze',
  auth: 'session',
} as const;

export const unfreezeTripCard = {
  method: 'POST',
  path: '/api/customers/trip_cards/{id}/unfreeze',
  auth: 'session',
} as const;

export const replaceLostTripCard = {
  method: 'POST',
  path: '/api/customers/trip_cards/{id}/lost',
  auth: 'session',
  idempotency: 'optional',
} as const;

export const transferValue = {
  method: 'POST',
  path: '/api/customers/trip_cards/{id}/transfers',
  auth: 'session',
  idempotency: 'required',
  status: 201,
} as const;

export const shareTripCard = {
  method: 'POST',
  path: '/api/customers/trip_cards/{id}/shares',
  auth: 'session',
  idempotency: 'optional',
  status: 201,
} as const;

export const revokeShare = {
  method: 'DELETE',
  path: '/api/customers/trip_cards/{id}/shares/{share_id}',
  auth: 'session',
} as const;
