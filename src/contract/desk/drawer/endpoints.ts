import { staffEndpoint } from '#contract/endpoint.ts';

export const getDrawer = staffEndpoint('GET', '/api/staff/drawer', 'sell_tickets');
export const openDrawer = staffEndpoint('POST', '/api/staff/drawer', 'sell_tickets');
export const closeDrawer = staffEndpoint('POST', '/api/staff/drawer/close', 'sell_tickets');
