import { queryOptions } from '@tanstack/react-query';
import { getOrderOptions } from '#contract/orders/rebook/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { OrderOptions } from '#web/platform/api/types.ts';
import { ORDER_OPTIONS_KEY } from '#web/platform/query/query-keys.ts';
import type { PersistMeta } from '#web/platform/saved-data/saved-query.ts';
import { readToken } from '#web/platform/session/session.ts';

/** The other sailings that an order may take, saved like the order itself. */
export function orderOptionsQuery(id: string) {
  const persist = readToken() === null ? 'device' : 'account';
  return queryOptions({
    queryKey: [...ORDER_OPTIONS_KEY, id] as const,
    queryFn: ({ signal }) => request(getOrderOptions, { params: { id }, signal }),
    meta: { persist, savedUntil } satisfies PersistMeta,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

function savedUntil({ journeys }: OrderOptions): number | null {
  return journeys.length === 0 ? null : Math.max(...journeys.map(({ deadline }) => Date.parse(deadline)));
}
