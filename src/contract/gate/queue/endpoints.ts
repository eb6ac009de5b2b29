import { CREATES, staffEndpoint } from '#contract/endpoint.ts';

export const getQueue = staffEndpoint('GET', '/api/staff/gate/sailings/{id}/queue', 'manage_queue');
export const joinQueue = staffEndpoint(
  'POST',
  '/api/staff/gate/sailings/{id}/queue',
  'manage_queue',
  CREATES,
);
export const moveQueue = staffEndpoint('POST', '/api/staff/gate/sailings/{id}/queue/move', 'manage_queue');
export const changeQueueEntry = staffEndpoint('PATCH', '/api/staff/gate/queue/{id}', 'manage_queue');
