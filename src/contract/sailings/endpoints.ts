import { endpoint } from '#contract/endpoint.ts';

export const getCatalogue = endpoint('GET', '/api/catalogue', { auth: 'none' });
export const listPorts = endpoint('GET', '/api/ports', { auth: 'none' });
export const listRoutes = endpoint('GET', '/api/routes', { auth: 'none' });
export const getTimetable = endpoint('GET', '/api/routes/{id}/timetable', { auth: 'none' });
export const listPassengerTypes = endpoint('GET', '/api/passenger_types', { auth: 'none' });
export const listVehicleTypes = endpoint('GET', '/api/vehicle_types', { auth: 'none' });
export const listFares = endpoint('GET', '/api/fares', { auth: 'none' });
export const searchSailings = endpoint('GET', '/api/sailings', { auth: 'none' });
export const searchConnections = endpoint('GET', '/api/connections', { auth: 'none' });
export const getSailing = endpoint('GET', '/api/sailings/{id}', { auth: 'none' });
