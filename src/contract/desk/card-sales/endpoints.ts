import { CREATES, staffEndpoint } from '#contract/endpoint.ts';

export const listCardSales = staffEndpoint('GET', '/api/staff/card_sales', 'see_orders');
export const getCardSale = staffEndpoint('GET', '/api/staff/card_sales/{id}', 'see_orders');
export const previewCardSale = staffEndpoint('POST', '/api/staff/card_sales/preview', 'sell_tickets');
export const sellCards = staffEndpoint('POST', '/api/staff/card_sales', 'sell_tickets', CREATES);
export const takeBackCardSale = staffEndpoint(
  'POST',
  '/api/staff/card_sales/{id}/take_back',
  'refund_orders',
);
export const replaceSoldCard = staffEndpoint(
  'POST',
  '/api/staff/card_sales/{id}/cards/{card_id}/lost',
  'serve_orders',
  { idempotency: 'required' },
);
