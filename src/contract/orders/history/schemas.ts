import * as z from 'zod/mini';
import { IdSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { OrderSchema, OrderSummarySchema } from '#contract/orders/schemas.ts';
import { ORDER_STATUSES } from '#contract/orders/statuses.ts';
import * as endpoints from './endpoints.ts';

/** The fields My Orders can be filtered by, and how each is compared. */
const ORDER_FILTER_FIELDS = {
  status: { type: 'choice', values: ORDER_STATUSES },
  reference: { type: 'text' },
  departs_at: { type: 'instant' },
  inserted_at: { type: 'instant' },
  route_id: { type: 'text' },
} as const;

const OrderListQuerySchema = z.object({
  /** Words that must all match: a port, a day of departure, a traveler's name, a license plate or a reference. */
  search: z.optional(plainText(0, 100)),
  /** By departure: `departs_at` the next one first, `-departs_at` the latest first; by purchase if absent. */
  sort: z.optional(z.enum(['departs_at', '-departs_at'])),
});

/** A journey from port to port, also with a change of boats. */
const FavoriteRouteSchema = z.object({ origin_port_id: IdSchema, destination_port_id: IdSchema });
export type FavoriteRoute = z.infer<typeof FavoriteRouteSchema>;

export const orderHistoryCalls = describeCalls(endpoints, {
  listOrders: {
    summary: 'List the customer’s orders, newest first unless sorted by departure',
    query: OrderListQuerySchema,
    list: { fields: ORDER_FILTER_FIELDS, pageSize: 10 },
    response: z.array(OrderSummarySchema),
  },
  getCustomerOrder: {
    summary: 'Get an order of the customer',
    response: OrderSchema,
    errors: ['not_found'],
  },
  listFavoriteRoutes: {
    summary: 'List the journeys that most of the customer’s orders of the last year have, at most three',
    response: z.array(FavoriteRouteSchema),
  },
});
