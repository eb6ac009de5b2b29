import { endpoint } from '#contract/endpoint.ts';

export const getDetails = endpoint('GET', '/api/customers/details', 'session');
export const changeDetails = endpoint('PATCH', '/api/customers', 'session');
export const deleteCustomer = endpoint('DELETE', '/api/customers', 'session');
export const exportCustomer = endpoint('POST', '/api/customers/export', 'session');
export const changeEmail = endpoint('POST', '/api/customers/change_email', 'session');
export const resendEmailChange = endpoint(
  'POST',
  '/api/customers/resend_change_email_instructions',
  'session',
);
export const listOrders = endpoint('GET', '/api/customers/orders', 'session');
export const getCustomerOrder = endpoint('GET', '/api/customers/orders/{id}', 'session');
