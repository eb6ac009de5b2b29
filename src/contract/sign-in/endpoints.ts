import { endpoint } from '#contract/endpoint.ts';

export const signIn = endpoint('POST', '/api/customers/sessions/sign_in', { auth: 'none' });
export const signInWithEmailCode = endpoint('POST', '/api/customers/sessions/magic_link', { auth: 'none' });
export const signInWithLink = endpoint('POST', '/api/customers/sessions/magic_link/verify', { auth: 'none' });
export const verifySecondStep = endpoint('POST', '/api/customers/authenticator/verify', { auth: 'none' });
export const getPasskeyChallenge = endpoint('GET', '/api/customers/sessions/passkey/challenge', {
  auth: 'none',
});
export const signInWithPasskey = endpoint('POST', '/api/customers/sessions/passkey/verify', { auth: 'none' });
export const reauthenticate = endpoint('POST', '/api/customers/sessions/reauthenticate', { auth: 'session' });
export const signOut = endpoint('DELETE', '/api/customers/sign_out', { auth: 'none' });
export const pingSession = endpoint('GET', '/api/customers/sessions/ping', { auth: 'optional' });
