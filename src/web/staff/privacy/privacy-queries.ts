import { queryOptions } from '@tanstack/react-query';
import { findStoredPerson, getPrivacyOverview, listCustomerViews } from '#contract/desk/privacy/endpoints.ts';
import { staffPages } from '#contract/paths.ts';
import { request, requestPage } from '#web/platform/api/request.ts';

export const personQuery = (email: string) =>
  queryOptions({
    queryKey: ['privacy', 'person', email] as const,
    queryFn: ({ signal }) => request(findStoredPerson, { query: { email }, signal }),
  });

export const overviewQuery = queryOptions({
  queryKey: ['privacy', 'overview'] as const,
  queryFn: ({ signal }) => request(getPrivacyOverview, { signal }),
});

export const viewsQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['privacy', 'views', id, page] as const,
    queryFn: ({ signal }) => requestPage(listCustomerViews, { params: { id }, page, signal }),
  });

/** The address of the page about a person. */
export function privacyPath(email: string): string {
  return `${staffPages.privacy}?${new URLSearchParams({ email })}`;
}
