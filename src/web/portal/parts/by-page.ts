import type { Page } from '#web/platform/api/request.ts';

/** The options of a query that reads a list page by page. */
export const BY_PAGE = {
  initialPageParam: 1,
  getNextPageParam: ({ meta }: Page<unknown>) =>
    meta !== null && meta.page < meta.totalPages ? meta.page + 1 : undefined,
};
