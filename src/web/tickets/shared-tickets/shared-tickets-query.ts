import { queryOptions } from '@tanstack/react-query';
import { getSharedTickets } from '#contract/orders/ticket-shares/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import { SHARED_TICKETS_KEY } from '#web/platform/query/query-keys.ts';

export function sharedTicketsQuery(token: string) {
  return queryOptions({
    queryKey: [...SHARED_TICKETS_KEY, token] as const,
    queryFn: ({ signal }) => request(getSharedTickets, { params: { token }, signal }),
  });
}
