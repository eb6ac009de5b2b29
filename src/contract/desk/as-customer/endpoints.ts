import { staffEndpoint } from '#contract/endpoint.ts';

export const getOrderAsCustomer = staffEndpoint(
  'GET',
  '/api/staff/orders/{reference}/as_customer',
  'see_orders',
);
export const getAccountAsCustomer = staffEndpoint(
  'GET',
  '/api/staff/customers/{id}/as_customer',
  'see_orders',
);
