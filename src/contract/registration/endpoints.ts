export const register = {
  method: 'POST',
  path: '/api/customers/register',
  auth: 'none',
} as const;

export const verifyAccount = {
  method: 'POST',
  path: '/api/customers/verify/{token}',
  auth: 'none',
} as const;

export const sendResetInstructions = {
  method: 'POST',
  path: '/api/customers/password/reset_instructions',
  auth: 'none',
} as const;

export const resetPassword = {
  method: 'POST',
  path: '/api/customers/password/reset',
  auth: 'none',
} as const;

export const verifyEmailChange = {
  method: 'POST',
  path: '/api/customers/verify_change_email',
  auth: 'optional',
} as const;

export const undoEmailChange = {
  method: 'POST',
  path: '/api/customers/undo_change_email',
  auth: 'none',
} as const;
