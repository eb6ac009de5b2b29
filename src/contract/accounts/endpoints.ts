export const getDetails = {
  method: 'GET',
  path: '/api/customers/details',
  auth: 'session',
} as const;

export const changeDetails = {
  method: 'PATCH',
  path: '/api/customers',
  auth: 'session',
} as const;

export const deleteCustomer = {
  method: 'DELETE',
  path: '/api/customers',
  auth: 'session',
} as const;

export const exportCustomer = {
  method: 'POST',
  path: '/api/customers/export',
  auth: 'session',
} as const;

export const changeEmail = {
  method: 'POST',
  path: '/api/customers/change_email',
  auth: 'session',
} as const;

export const resendEmailChange = {
  method: 'POST',
  path: '/api/customers/resend_change_email_instructions',
  auth: 'session',
} as const;

export const listOrders = {
  method: 'GET',
  path: '/api/customers/orders',
  auth: 'session',
} as const;

export const getCustomerOrder = {
  method: 'GET',
  path: '/api/customers/orders/{id}',
  auth: 'session',
} as const;
