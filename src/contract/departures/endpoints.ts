import { endpoint } from '#contract/endpoint.ts';

/** `{port}`: id or code of the port. */
export const getDepartures = endpoint('GET', '/api/ports/{port}/departures', 'none');

export const getServiceStatus = endpoint('GET', '/api/service_status', 'none');
