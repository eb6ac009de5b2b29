import { endpoint } from '#contract/endpoint.ts';

/** `{port}`: id or code of the port. */
export const getDepartures = endpoint('GET', '/api/ports/{port}/departures', 'none');
