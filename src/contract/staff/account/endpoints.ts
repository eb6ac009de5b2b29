import { staffEndpoint } from '#contract/endpoint.ts';

export const getStaffAccount = staffEndpoint('GET', '/api/staff/account', 'own_session');
export const changeStaffPassword = staffEndpoint('POST', '/api/staff/account/password', 'own_session');
export const createStaffPasskeyChallenge = staffEndpoint(
  'POST',
  '/api/staff/account/passkeys/challenge',
  'own_session',
);
export const addStaffPasskey = staffEndpoint('POST', '/api/staff/account/passkeys', 'own_session', {
  status: 201,
});
export const removeStaffPasskey = staffEndpoint('DELETE', '/api/staff/account/passkeys/{id}', 'own_session');
export const endOwnStaffSession = staffEndpoint('DELETE', '/api/staff/account/sessions/{id}', 'own_session');
