import { endpoint } from '#contract/endpoint.ts';

export const deleteCustomer = endpoint('DELETE', '/api/customers', 'session');
export const exportCustomer = endpoint('POST', '/api/customers/export', 'session');
