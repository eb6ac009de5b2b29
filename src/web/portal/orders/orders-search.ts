import { useLocation, useSearchParams } from 'react-router';
import { portalPages } from '#contract/paths.ts';

export const ORDERS_VIEWS = ['upcoming', 'past', 'all'] as const;
export type OrdersView = (typeof ORDERS_VIEWS)[number];

/** The parameters of the address. It never contains an order's id, which opens the order without sign-in. */
export type OrdersSearch = {
  view: OrdersView;
  /** Reference of the open order, as written in the address; null shows the list. */
  order: string | null;
  /**
   * The search text: names, plates, ports. In the history's state and not in the address, which third-party scripts
   * of this page can read.
   */
  text: string;
};

export function readOrdersSearch(params: URLSearchParams, state: unknown = null): OrdersSearch {
  return {
    view: ORDERS_VIEWS.find((view) => view === params.get('view')) ?? 'upcoming',
    order: params.get('order'),
    text: isTextState(state) ? state.text : '',
  };
}

export function useOrdersSearch(): OrdersSearch {
  const [params] = useSearchParams();
  return readOrdersSearch(params, useLocation().state);
}

export function ordersPath({ view, order }: Omit<OrdersSearch, 'text'>): string {
  const params = new URLSearchParams();
  if (view !== 'upcoming') params.set('view', view);
  if (order !== null) params.set('order', order);
  const query = params.toString();
  return query === '' ? portalPages.orders : `${portalPages.orders}?${query}`;
}

/** Whether neither another view nor a search is asked for. */
export function isPlain({ view, text }: OrdersSearch): boolean {
  return view === 'upcoming' && text === '';
}

/** The history's state of a list with this search. */
export function ordersState({ text }: Pick<OrdersSearch, 'text'>): { text: string } | null {
  return text === '' ? null : { text };
}

function isTextState(state: unknown): state is { text: string } {
  return typeof state === 'object' && state !== null && 'text' in state && typeof state.text === 'string';
}
