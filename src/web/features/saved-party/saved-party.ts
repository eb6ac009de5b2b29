import { queryOptions, useQuery } from '@tanstack/react-query';
import { getSavedParty } from '#contract/saved-party/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { SavedParty } from '#web/platform/api/types.ts';
import { useSession } from '#web/platform/session/session.ts';

const SHOWN_UNCHECKED_MS = 5 * 60_000;

/** Never saved on the device. */
export const savedPartyQuery = queryOptions({
  queryKey: ['saved-party'] as const,
  queryFn: ({ signal }) => request(getSavedParty, { signal }),
  staleTime: SHOWN_UNCHECKED_MS,
});

/** What the customer saved; undefined until it is loaded, and for guests. */
export function useSavedParty(): SavedParty | undefined {
  const { isAuthenticated } = useSession();
  const { data } = useQuery({ ...savedPartyQuery, enabled: isAuthenticated });
  return isAuthenticated ? data : undefined;
}
