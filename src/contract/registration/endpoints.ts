import { endpoint } from '#contract/endpoint.ts';

export const register = endpoint('POST', '/api/customers/register', { auth: 'none' });
export const verifyAccount = endpoint('POST', '/api/customers/verify/{token}', { auth: 'none' });
export const sendResetInstructions = endpoint('POST', '/api/customers/password/reset_instructions', {
  auth: 'none',
});
export const resetPassword = endpoint('POST', '/api/customers/password/reset', { auth: 'none' });
export const verifyEmailChange = endpoint('POST', '/api/customers/verify_change_email', { auth: 'optional' });
export const undoEmailChange = endpoint('POST', '/api/customers/undo_change_email', { auth: 'none' });
