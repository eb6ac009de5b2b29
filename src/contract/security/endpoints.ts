import { endpoint } from '#contract/endpoint.ts';

export const getSecurity = endpoint('GET', '/api/customers/security', { auth: 'session' });
export const changePassword = endpoint('POST', '/api/customers/password', { auth: 'session' });
export const listPasskeys = endpoint('GET', '/api/customers/passkeys', { auth: 'session' });
export const createPasskeyChallenge = endpoint('POST', '/api/customers/passkeys/challenge', {
  auth: 'session',
});
export const addPasskey = endpoint('POST', '/api/customers/passkeys', { auth: 'session', status: 201 });
export const renamePasskey = endpoint('PATCH', '/api/customers/passkeys/{id}', { auth: 'session' });
export const removePasskey = endpoint('DELETE', '/api/customers/passkeys/{id}', { auth: 'session' });
export const setUpAuthenticator = endpoint('POST', '/api/customers/authenticator', { auth: 'session' });
export const confirmAuthenticator = endpoint('POST', '/api/customers/authenticator/confirm', {
  auth: 'session',
});
export const removeAuthenticator = endpoint('DELETE', '/api/customers/authenticator', { auth: 'session' });
export const renewRecoveryCodes = endpoint('POST', '/api/customers/recovery_codes', { auth: 'session' });
export const listSessions = endpoint('GET', '/api/customers/sessions', { auth: 'session' });
export const endOtherSessions = endpoint('DELETE', '/api/customers/sessions', { auth: 'session' });
export const endSession = endpoint('DELETE', '/api/customers/sessions/{id}', { auth: 'session' });
export const listSecurityEvents = endpoint('GET', '/api/customers/security_events', { auth: 'session' });
