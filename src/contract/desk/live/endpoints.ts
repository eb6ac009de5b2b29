import { staffEndpoint } from '#contract/endpoint.ts';

export const followDesk = staffEndpoint('GET', '/api/staff/desk/live', 'see_orders');
