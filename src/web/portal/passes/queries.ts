import { queryOptions } from '@tanstack/react-query';
import { listPasses } from '#contract/passes/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

/** The passes on sale. */
export const passesQuery = queryOptions({
  queryKey: ['passes'] as const,
  queryFn: ({ signal }) => request(listPasses, { signal }),
});
