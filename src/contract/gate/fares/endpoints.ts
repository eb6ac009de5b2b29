import { CREATES, staffEndpoint } from '#contract/endpoint.ts';

export const readFareCard = staffEndpoint('POST', '/api/staff/gate/fares/card', 'take_fares');
export const takeFare = staffEndpoint('POST', '/api/staff/gate/fares', 'take_fares', CREATES);
export const undoFare = staffEndpoint('POST', '/api/staff/gate/fares/{id}/undo', 'take_fares');
