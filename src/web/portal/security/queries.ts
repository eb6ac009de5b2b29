import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { getSecurity, listPasskeys, listSecurityEvents, listSessions } from '#web/platform/api/security.ts';

/** One thing changed tells on the others: whatever was done, all of it is asked for again. */
export const SECURITY_KEY = ['security'] as const;

export const overviewQuery = queryOptions({
  queryKey: [...SECURITY_KEY, 'overview'] as const,
  queryFn: ({ signal }) => getSecurity({ signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: [...SECURITY_KEY, 'passkeys'] as const,
  queryFn: ({ signal }) => listPasskeys({ signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: [...SECURITY_KEY, 'sessions'] as const,
  queryFn: ({ signal }) => listSessions({ signal }),
});

export const eventsQuery = infiniteQueryOptions({
  queryKey: [...SECURITY_KEY, 'events'] as const,
  queryFn: ({ pageParam, signal }) => listSecurityEvents(pageParam, { signal }),
  initialPageParam: 1,
  getNextPageParam: ({ meta }) => (meta !== null && meta.page < meta.totalPages ? meta.page + 1 : undefined),
});
