import { queryOptions } from '@tanstack/react-query';
import { getStaffSettings } from '#contract/desk/settings/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

export const settingsQuery = queryOptions({
  queryKey: ['staff-settings'] as const,
  queryFn: ({ signal }) => request(getStaffSettings, { signal }),
});
