import { staffEndpoint, staffSignInEndpoint } from '../endpoint.ts';

export const listGateDevices = staffEndpoint('GET', '/api/staff/gate_devices', 'manage_devices');
export const addGateDevice = staffEndpoint('POST', '/api/staff/gate_devices', 'manage_devices', {
  status: 201,
});
export const revokeGateDevice = staffEndpoint('DELETE', '/api/staff/gate_devices/{id}', 'manage_devices');
export const setShiftPin = staffEndpoint('PUT', '/api/staff/shift_pin', 'own_session');

export const pairGateDevice = staffSignInEndpoint('POST', '/api/staff/gate_device/pair');
export const getGateDevice = staffSignInEndpoint('GET', '/api/staff/gate_device');
export const startShift = staffSignInEndpoint('POST', '/api/staff/gate_device/shift');
