import { endpoint } from '#contract/endpoint.ts';

export const getSecurity = endpoint('GET', '/api/customers/security', 'session');
export const changePassword = endpoint('POST', '/api/customers/password', 'session');
export const listPasskeys = endpoint('GET', '/api/customers/passkeys', 'session');
export const createPasskeyChallenge = endpoint('POST', '/api/customers/passkeys/challenge', 'session');
export const addPasskey = endpoint('POST', '/api/customers/passkeys', 'session', { status: 201 });
export const renamePasskey = endpoint('PATCH', '/api/customers/passkeys/{id}', 'session');
export const removePasskey = endpoint('DELETE', '/api/customers/passkeys/{id}', 'session');
export const setUpAuthenticator = endpoint('POST', '/api/customers/authenticator', 'session');
export const confirmAuthenticator = endpoint('POST', '/api/customers/authenticator/confirm', 'session');
export const removeAuthenticator = endpoint('DELETE', '/api/customers/authenticator', 'session');
export const renewRecoveryCodes = endpoint('POST', '/api/customers/recovery_codes', 'session');
export const listSessions = endpoint('GET', '/api/customers/sessions', 'session');
export const endOtherSessions = endpoint('DELETE', '/api/customers/sessions', 'session');
export const endSession = endpoint('DELETE', '/api/customers/sessions/{id}', 'session');
export const listSecurityEvents = endpoint('GET', '/api/customers/security_events', 'session');
