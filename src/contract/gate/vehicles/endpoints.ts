import { CREATES, staffEndpoint } from '#contract/endpoint.ts';

export const quoteVehicle = staffEndpoint('POST', '/api/staff/gate/vehicles/{id}/quote', 'charge_vehicles');
export const recordVehicle = staffEndpoint(
  'POST',
  '/api/staff/gate/vehicles/{id}/measurements',
  'charge_vehicles',
  CREATES,
);
export const settleMeasurement = staffEndpoint(
  'POST',
  '/api/staff/gate/measurements/{id}/settle',
  'sell_tickets',
  CREATES,
);
