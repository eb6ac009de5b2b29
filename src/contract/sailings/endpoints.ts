import { endpoint } from '#contract/endpoint.ts';

export const getCatalogue = endpoint('GET', '/api/catalogue', 'none');
export const listPorts = endpoint('GET', '/api/ports', 'none');
export const listRoutes = endpoint('GET', '/api/routes', 'none');
export const getTimetable = endpoint('GET', '/api/routes/{id}/timetable', 'none');
export const listPassengerTypes = endpoint('GET', '/api/passenger_types', 'none');
export const listVehicleTypes = endpoint('GET', '/api/vehicle_types', 'none');
export const listFares = endpoint('GET', '/api/fares', 'none');
export const searchSailings = endpoint('GET', '/api/sailings', 'none');
export const searchConnections = endpoint('GET', '/api/connections', 'none');
export const listSailingDays = endpoint('GET', '/api/sailing_days', 'none');
export const getSailing = endpoint('GET', '/api/sailings/{id}', 'none');
