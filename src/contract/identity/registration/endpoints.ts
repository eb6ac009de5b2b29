import { endpoint } from '#contract/endpoint.ts';

export const register = endpoint('POST', '/api/customers/register', 'none');
export const verifyAccount = endpoint('POST', '/api/customers/verify/{token}', 'none');
export const sendResetInstructions = endpoint('POST', '/api/customers/password/reset_instructions', 'none');
export const resetPassword = endpoint('POST', '/api/customers/password/reset', 'none');
export const verifyEmailChange = endpoint('POST', '/api/customers/verify_change_email', 'optional');
export const undoEmailChange = endpoint('POST', '/api/customers/undo_change_email', 'none');
