import { CREATES, staffEndpoint } from '#contract/endpoint.ts';

export const quoteQueueEntry = staffEndpoint('POST', '/api/staff/gate/queue/{id}/quotes', 'sell_tickets');
export const listQueueReturns = staffEndpoint('GET', '/api/staff/gate/queue/{id}/returns', 'sell_tickets');
export const sendPaymentLink = staffEndpoint(
  'POST',
  '/api/staff/gate/queue/{id}/payment_link',
  'sell_tickets',
  CREATES,
);
export const holdForPier = staffEndpoint('POST', '/api/staff/gate/queue/{id}/hold', 'sell_tickets', CREATES);
export const sellToQueueEntry = staffEndpoint(
  'POST',
  '/api/staff/gate/queue/{id}/sale',
  'sell_tickets',
  CREATES,
);
