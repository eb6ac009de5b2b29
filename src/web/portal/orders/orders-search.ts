import { portalPages } from '#contract/paths.ts';

export const ORDERS_VIEWS = ['upcoming', 'past', 'all'] as const;
export type OrdersView = (typeof ORDERS_VIEWS)[number];

/** What the address says of My Orders. Only references are ever in it: an order's id opens it without sign-in. */
export type OrdersSearch = {
  view: OrdersView;
  /** Part of a reference to look for. */
  reference: string;
  /** Reference of the order that is open, as it was written; null shows the list. */
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

/** References are stored as `K7M4-QXPA`, and typed in every other way. */
export function tidyReference(text: string): string {
  const typed = text.toUpperCase().replace(/[^\p{L}\p{N}\p{Pd}]/gu, '');
  const plain = typed.replace(/\p{Pd}/gu, '').slice(0, LENGTH);
  const isPart = typed === plain && plain.length <= HALF;
  return isPart || typed.length <= HALF ? typed : `${plain.slice(0, HALF)}-${plain.slice(HALF)}`;
}

const HALF = 4;
const LENGTH = 8;
