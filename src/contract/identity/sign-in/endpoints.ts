import { endpoint } from '#contract/endpoint.ts';

export const signIn = endpoint('POST', '/api/customers/sessions/sign_in', 'none');
export const signInWithEmailCode = endpoint('POST', '/api/customers/sessions/magic_link', 'none');
export const signInWithLink = endpoint('POST', '/api/customers/sessions/magic_link/verify', 'none');
export const verifySecondStep = endpoint('POST', '/api/customers/authenticator/verify', 'none');
export const getPasskeyChallenge = endpoint('GET', '/api/customers/sessions/passkey/challenge', 'none');
export const signInWithPasskey = endpoint('POST', '/api/customers/sessions/passkey/verify', 'none');
export const reauthenticate = endpoint('POST', '/api/customers/sessions/reauthenticate', 'session');
export const signOut = endpoint('DELETE', '/api/customers/sign_out', 'none');
export const pingSession = endpoint('GET', '/api/customers/sessions/ping', 'optional');
