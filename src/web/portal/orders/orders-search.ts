import { portalPages } from '#contract/paths.ts';

export const ORDERS_VIEWS = ['upcoming', 'past', 'all'] as const;
export type OrdersView = (typeof ORDERS_VIEWS)[number];

/** The parameters of the address. It never contains an order's id, which opens the order without sign-in. */
export type OrdersSearch = {
  view: OrdersView;
  /** Part of a reference to look for. */
  reference: string;
  /** Reference of the open order, as written in the address; null shows the list. */
  order: string | null;
};

export function readOrdersSearch(params: URLSearchParams): OrdersSearch {
  return {
    view: ORDERS_VIEWS.find((view) => view === params.get('view')) ?? 'upcoming',
    reference: tidyReference(params.get('reference') ?? ''),
    order: params.get('order'),
  };
}

export function ordersPath({ view, reference, order }: OrdersSearch): string {
  const params = new URLSearchParams();
  if (view !== 'upcoming') params.set('view', view);
  if (reference !== '') params.set('reference', reference);
  if (order !== null) params.set('order', order);
  const query = params.toString();
  return query === '' ? portalPages.orders : `${portalPages.orders}?${query}`;
}

/** Formats a typed reference as it is stored: `K7M4-QXPA`. */
export function tidyReference(text: string): string {
  const typed = text.toUpperCase().replace(/[^\p{L}\p{N}\p{Pd}]/gu, '');
  const plain = typed.replace(/\p{Pd}/gu, '').slice(0, LENGTH);
  const isPart = typed === plain && plain.length <= HALF;
  return isPart || typed.length <= HALF ? typed : `${plain.slice(0, HALF)}-${plain.slice(HALF)}`;
}

const HALF = 4;
const LENGTH = 8;
