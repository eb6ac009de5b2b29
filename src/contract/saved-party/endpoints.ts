import { endpoint } from '#contract/endpoint.ts';

const SAVES = { idempotency: 'optional', status: 201 } as const;

export const getSavedParty = endpoint('GET', '/api/customers/saved_party', 'session');
export const saveVehicle = endpoint('POST', '/api/customers/saved_vehicles', 'session', SAVES);
export const renameVehicle = endpoint('PATCH', '/api/customers/saved_vehicles/{id}', 'session');
export const removeVehicle = endpoint('DELETE', '/api/customers/saved_vehicles/{id}', 'session');
export const saveTraveler = endpoint('POST', '/api/customers/saved_travelers', 'session', SAVES);
export const renameTraveler = endpoint('PATCH', '/api/customers/saved_travelers/{id}', 'session');
export const removeTraveler = endpoint('DELETE', '/api/customers/saved_travelers/{id}', 'session');
