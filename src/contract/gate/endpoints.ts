import { staffEndpoint } from '../endpoint.ts';

export const listGatePorts = staffEndpoint('GET', '/api/staff/gate/ports', 'scan_tickets');
export const getGatePack = staffEndpoint('GET', '/api/staff/gate/ports/{code}/pack', 'scan_tickets');
export const sendGateEvents = staffEndpoint('POST', '/api/staff/gate/events', 'scan_tickets');
export const getOverrideKey = staffEndpoint('GET', '/api/staff/gate/override_key', 'override_boarding');
export const closeCheckIn = staffEndpoint('POST', '/api/staff/gate/sailings/{id}/close', 'scan_tickets');
export const reopenCheckIn = staffEndpoint('POST', '/api/staff/gate/sailings/{id}/reopen', 'scan_tickets');
export const departSailing = staffEndpoint('POST', '/api/staff/gate/sailings/{id}/depart', 'scan_tickets');
