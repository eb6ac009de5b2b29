import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  getSecurity,
  listPasskeys,
  listSecurityEvents,
  listSessions,
} from '#contract/identity/security/endpoints.ts';
import { request, requestPage } from '#web/platform/api/request.ts';
import type { PreloadArgs } from '#web/platform/router/screen.ts';
import { BY_PAGE } from '#web/portal/parts/by-page.ts';

/** Any change may affect the rest, so all queries below this key are invalidated together. */
export const SECURITY_KEY = ['security'] as const;

export const overviewQuery = queryOptions({
  queryKey: [...SECURITY_KEY, 'overview'] as const,
  queryFn: ({ signal }) => request(getSecurity, { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: [...SECURITY_KEY, 'passkeys'] as const,
  queryFn: ({ signal }) => request(listPasskeys, { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: [...SECURITY_KEY, 'sessions'] as const,
  queryFn: ({ signal }) => request(listSessions, { signal }),
});

export const eventsQuery = infiniteQueryOptions({
  queryKey: [...SECURITY_KEY, 'events'] as const,
  queryFn: ({ pageParam, signal }) => requestPage(listSecurityEvents, { page: pageParam, signal }),
  ...BY_PAGE,
});

/** Starts the screen's queries while its chunk loads. */
export function preloadSecurity({ client }: PreloadArgs): void {
  void client.prefetchQuery(overviewQuery);
  void client.prefetchQuery(passkeysQuery);
  void client.prefetchQuery(sessionsQuery);
  void client.prefetchInfiniteQuery(eventsQuery);
}
