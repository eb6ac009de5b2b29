import { endpoint } from '#contract/endpoint.ts';

export const getDetails = endpoint('GET', '/api/customers/details', 'session');
export const changeDetails = endpoint('PATCH', '/api/customers', 'session');
export const changeEmail = endpoint('POST', '/api/customers/change_email', 'session');
export const resendEmailChange = endpoint(
  'POST',
  '/api/customers/resend_change_email_instructions',
  'session',
);
