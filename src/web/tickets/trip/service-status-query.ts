import { queryOptions } from '@tanstack/react-query';
import { getServiceStatus } from '#contract/departures/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

export function serviceStatusQuery() {
  return queryOptions({
    queryKey: ['service-status'],
    queryFn: ({ signal }) => request(getServiceStatus, { signal }),
  });
}
