export const signIn = {
  method: 'POST',
  path: '/api/customers/sessions/sign_in',
  auth: 'none',
} as const;

export const signInWithEmailCode = {
  method: 'POST',
  path: '/api/customers/sessions/magic_link',
  auth: 'none',
} as const;

export const signInWithLink = {
  method: 'POST',
  path: '/api/customers/sessions/magic_link/verify',
  auth: 'none',
} as const;

export const verifySecondStep = {
  method: 'POST',
  path: '/api/customers/authenticator/verify',
  auth: 'none',
} as const;

export const getPasskeyChallenge = {
  method: 'GET',
  path: '/api/customers/sessions/passkey/challenge',
  auth: 'none',
} as const;

export const signInWithPasskey = {
  method: 'POST',
  path: '/api/customers/sessions/passkey/verify',
  auth: 'none',
} as const;

export const reauthenticate = {
  method: 'POST',
  path: '/api/customers/sessions/reauthenticate',
  auth: 'session',
} as const;

export const signOut = {
  method: 'DELETE',
  path: '/api/customers/sign_out',
  auth: 'none',
} as const;

export const pingSession = {
  method: 'GET',
  path: '/api/customers/sessions/ping',
  auth: 'optional',
} as const;
