import { endpoint } from '#contract/endpoint.ts';

export const getDetails = endpoint('GET', '/api/customers/details', { auth: 'session' });
export const changeDetails = endpoint('PATCH', '/api/customers', { auth: 'session' });
export const deleteCustomer = endpoint('DELETE', '/api/customers', { auth: 'session' });
export const exportCustomer = endpoint('POST', '/api/customers/export', { auth: 'session' });
export const changeEmail = endpoint('POST', '/api/customers/change_email', { auth: 'session' });
export const resendEmailChange = endpoint('POST', '/api/customers/resend_change_email_instructions', {
  auth: 'session',
});
export const listOrders = endpoint('GET', '/api/customers/orders', { auth: 'session' });
export const getCustomerOrder = endpoint('GET', '/api/customers/orders/{id}', { auth: 'session' });
