export const getCatalogue = {
  method: 'GET',
  path: '/api/catalogue',
  auth: 'none',
} as const;

export const listPorts = {
  method: 'GET',
  path: '/api/ports',
  auth: 'none',
} as const;

export const listRoutes = {
  method: 'GET',
  path: '/api/routes',
  auth: 'none',
} as const;

export const getTimetable = {
  method: 'GET',
  path: '/api/routes/{id}/timetable',
  auth: 'none',
} as const;

export const listPassengerTypes = {
  method: 'GET',
  path: '/api/passenger_types',
  auth: 'none',
} as const;

export const listVehicleTypes = {
  method: 'GET',
  path: '/api/vehicle_types',
  auth: 'none',
} as const;

export const listFares = {
  method: 'GET',
  path: '/api/fares',
  auth: 'none',
} as const;

export const searchSailings = {
  method: 'GET',
  path: '/api/sailings',
  auth: 'none',
} as const;

export const getSailing = {
  method: 'GET',
  path: '/api/sailings/{id}',
  auth: 'none',
} as const;
