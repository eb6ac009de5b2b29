/** Keys of the queries that are saved on the device, or that modules beside the query's own name. */

import type { QueryKey } from '@tanstack/react-query';

export const ORDER_KEY = ['order'] as const;

/** The other sailings that an order may take. */
export const ORDER_OPTIONS_KEY = ['order-options'] as const;

/** Tickets that another person sent to this device's user. */
export const SHARED_TICKETS_KEY = ['shared-tickets'] as const;

export const CUSTOMER_ORDER_KEY = ['customer-order'] as const;

export const CUSTOMER_ORDERS_KEY = ['customer-orders'] as const;

/** `text`: the search text; empty for the whole list. */
export function orderListKey<View extends string>(view: View, text: string) {
  return [...CUSTOMER_ORDERS_KEY, view, text] as const;
}

export const SAILINGS_KEY = ['sailings'] as const;

export const DEPARTURES_KEY = ['departures'] as const;

export const TRIP_CARDS_KEY = ['trip-cards'] as const;

export const TRIP_CARD_LIST_KEY = [...TRIP_CARDS_KEY, 'list'] as const;

export const TRIP_CARD_KEY = [...TRIP_CARDS_KEY, 'card'] as const;

export const OFFLINE_CODE_KEY = [...TRIP_CARDS_KEY, 'code'] as const;

export const ENTRIES_KEY = [...TRIP_CARDS_KEY, 'entries'] as const;

export const TOP_UPS_KEY = [...TRIP_CARDS_KEY, 'top-ups'] as const;

/**
 * The version of each saved query's data. Devices keep data for up to 30 days, so screens show data that older releases
 * saved. Raise a version only if the screens cannot show such data: the update then deletes this query's records, and a
 * passenger without a connection loses them. A test compares the responses' schemas with these versions.
 */
export const SAVED_VERSIONS: readonly SavedVersion[] = [
  { key: ORDER_KEY, version: 1 },
  { key: ORDER_OPTIONS_KEY, version: 1 },
  { key: SHARED_TICKETS_KEY, version: 1 },
  { key: CUSTOMER_ORDER_KEY, version: 1 },
  { key: CUSTOMER_ORDERS_KEY, version: 1 },
  { key: SAILINGS_KEY, version: 1 },
  { key: DEPARTURES_KEY, version: 1 },
  { key: TRIP_CARD_LIST_KEY, version: 1 },
  { key: TRIP_CARD_KEY, version: 1 },
  { key: OFFLINE_CODE_KEY, version: 1 },
  { key: ENTRIES_KEY, version: 1 },
  { key: TOP_UPS_KEY, version: 1 },
];

export type SavedVersion = { key: readonly string[]; version: number };

/** null for a query that is not saved. */
export function getSavedVersion(queryKey: QueryKey): SavedVersion | null {
  return SAVED_VERSIONS.find(({ key }) => key.every((part, index) => queryKey[index] === part)) ?? null;
}
