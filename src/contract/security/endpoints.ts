export const getSecurity = {
  method: 'GET',
  path: '/api/customers/security',
  auth: 'session',
} as const;

export const changePassword = {
  method: 'POST',
  path: '/api/customers/password',
  auth: 'session',
} as const;

export const listPasskeys = {
  method: 'GET',
  path: '/api/customers/passkeys',
  auth: 'session',
} as const;

export const createPasskeyChallenge = {
  method: 'POST',
  path: '/api/customers/passkeys/challenge',
  auth: 'session',
} as const;

export const addPasskey = {
  method: 'POST',
  path: '/api/customers/passkeys',
  auth: 'session',
  status: 201,
} as const;

export const renamePasskey = {
  method: 'PATCH',
  path: '/api/customers/passkeys/{id}',
  auth: 'session',
} as const;

export const removePasskey = {
  method: 'DELETE',
  path: '/api/customers/passkeys/{id}',
  auth: 'session',
} as const;

export const setUpAuthenticator = {
  method: 'POST',
  path: '/api/customers/authenticator',
  auth: 'session',
} as const;

export const confirmAuthenticator = {
  method: 'POST',
  path: '/api/customers/authenticator/confirm',
  auth: 'session',
} as const;

export const removeAuthenticator = {
  method: 'DELETE',
  path: '/api/customers/authenticator',
  auth: 'session',
} as const;

export const renewRecoveryCodes = {
  method: 'POST',
  path: '/api/customers/recovery_codes',
  auth: 'session',
} as const;

export const listSessions = {
  method: 'GET',
  path: '/api/customers/sessions',
  auth: 'session',
} as const;

export const endOtherSessions = {
  method: 'DELETE',
  path: '/api/customers/sessions',
  auth: 'session',
} as const;

export const endSession = {
  method: 'DELETE',
  path: '/api/customers/sessions/{id}',
  auth: 'session',
} as const;

export const listSecurityEvents = {
  method: 'GET',
  path: '/api/customers/security_events',
  auth: 'session',
} as const;
