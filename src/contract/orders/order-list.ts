import * as z from 'zod/mini';
import { plainText } from '#contract/common.ts';
import { ORDER_STATUSES } from './statuses.ts';

/** The fields My Orders can be filtered by, and how each is compared. */
export const ORDER_FILTER_FIELDS = {
  status: { type: 'choice', values: ORDER_STATUSES },
  reference: { type: 'text' },
  departs_at: { type: 'instant' },
  inserted_at: { type: 'instant' },
  route_id: { type: 'text' },
} as const;

export const OrderListQuerySchema = z.object({
  /** Words that must all match: a port, a day of departure, a traveler's name, a license plate or a reference. */
  search: z.optional(plainText(0, 100)),
  /** By departure: `departs_at` the next one first, `-departs_at` the latest first; by purchase if absent. */
  sort: z.optional(z.enum(['departs_at', '-departs_at'])),
});
