/** Keys of the queries that modules beside the query's own name, such as the layer that lists what is saved. */

export const ORDER_KEY = ['order'] as const;

export const CUSTOMER_ORDERS_KEY = ['customer-orders'] as const;

/** `reference`: what is searched for; empty for the whole list. */
export function orderListKey<View extends string>(view: View, reference: string) {
  return [...CUSTOMER_ORDERS_KEY, view, reference] as const;
}

export const TRIP_CARDS_KEY = ['trip-cards'] as const;

export const TRIP_CARD_LIST_KEY = [...TRIP_CARDS_KEY, 'list'] as const;
