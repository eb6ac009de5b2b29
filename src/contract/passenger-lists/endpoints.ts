import { endpoint, staffEndpoint } from '#contract/endpoint.ts';

export const getTravelerDetails = endpoint('GET', '/api/orders/{id}/traveler_details', 'optional');
export const setTravelerDetails = endpoint('PUT', '/api/orders/{id}/traveler_details', 'optional');

export const listPassengerLists = staffEndpoint('GET', '/api/staff/passenger_lists', 'passenger_lists');
export const getPassengerList = staffEndpoint('GET', '/api/staff/passenger_lists/{id}', 'passenger_lists');
export const exportPassengerList = staffEndpoint(
  'GET',
  '/api/staff/passenger_lists/{id}/export',
  'passenger_lists',
);
export const setTravelerDetailsAtGate = staffEndpoint(
  'PUT',
  '/api/staff/passenger_lists/{id}/tickets/{ticket_id}',
  'passenger_lists',
);
