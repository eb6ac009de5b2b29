import { CREATES, staffEndpoint } from '#contract/endpoint.ts';

export const previewHeldBackPlaces = staffEndpoint(
  'POST',
  '/api/staff/desk/boats/{id}/held_back/preview',
  'change_sailings',
);
export const holdBackPlaces = staffEndpoint(
  'POST',
  '/api/staff/desk/boats/{id}/held_back',
  'change_sailings',
  CREATES,
);
export const releaseHeldBackPlaces = staffEndpoint(
  'DELETE',
  '/api/staff/desk/held_back/{id}',
  'change_sailings',
);
