import { staffEndpoint, staffSignInEndpoint } from '../endpoint.ts';

export const readStaffInvitation = staffSignInEndpoint('POST', '/api/staff/invitation');
export const createInvitedPasskey = staffSignInEndpoint('POST', '/api/staff/invitation/passkey_challenge');
export const acceptStaffInvitation = staffSignInEndpoint('POST', '/api/staff/invitation/accept');
export const signInStaff = staffSignInEndpoint('POST', '/api/staff/sign_in');
export const getStaffPasskeyChallenge = staffSignInEndpoint('GET', '/api/staff/passkey/challenge');
export const signInStaffWithPasskey = staffSignInEndpoint('POST', '/api/staff/passkey/sign_in');
export const getStaffSession = staffEndpoint('GET', '/api/staff/session', 'own_session');
export const endStaffSession = staffEndpoint('DELETE', '/api/staff/session', 'own_session');
export const endStaffSessions = staffEndpoint('DELETE', '/api/staff/sessions', 'own_session');
export const stepUpStaff = staffEndpoint('POST', '/api/staff/step_up', 'own_session');
