import { queryOptions } from '@tanstack/react-query';
import { getPassengerList, listPassengerLists } from '#contract/passenger-lists/endpoints.ts';
import { formatClock } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { ListedBoat } from '#web/platform/api/types.ts';

export const boatsQuery = queryOptions({
  queryKey: ['passenger-lists'] as const,
  queryFn: ({ signal }) => request(listPassengerLists, { signal }),
  refetchOnMount: 'always',
});

export function listQuery(id: string) {
  return queryOptions({
    queryKey: ['passenger-list', id] as const,
    queryFn: ({ signal }) => request(getPassengerList, { params: { id }, signal }),
    refetchOnMount: 'always',
  });
}

/** "9:00 AM North Quay to South Quay, MV Harbor Seal" */
export function describeBoat({ departsLocal, origin, destination, vessel }: ListedBoat): string {
  const time = formatClock(departsLocal);
  return t('{time} {origin} to {destination}, {vessel}', { time, origin, destination, vessel });
}
