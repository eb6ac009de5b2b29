import { staffEndpoint } from '#contract/endpoint.ts';

export const listStaffMembers = staffEndpoint('GET', '/api/staff/members', 'manage_staff');
export const inviteStaffMember = staffEndpoint('POST', '/api/staff/members', 'manage_staff', { status: 201 });
export const changeStaffRole = staffEndpoint('PATCH', '/api/staff/members/{id}', 'manage_staff');
export const disableStaffMember = staffEndpoint('DELETE', '/api/staff/members/{id}', 'manage_staff');
export const resetStaffMember = staffEndpoint('POST', '/api/staff/members/{id}/reset', 'manage_staff');
export const endStaffMemberSessions = staffEndpoint(
  'DELETE',
  '/api/staff/members/{id}/sessions',
  'manage_staff',
);
