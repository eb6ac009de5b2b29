import { queryOptions } from '@tanstack/react-query';
import { listStaffMembers } from '#contract/staff/members/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

/** Everyone who works here. */
export const peopleQuery = queryOptions({
  queryKey: ['staff-members'] as const,
  queryFn: ({ signal }) => request(listStaffMembers, { signal }),
});
