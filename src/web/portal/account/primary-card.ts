import { queryOptions } from '@tanstack/react-query';
import { getPrimaryCard } from '#contract/payment-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { PreloadArgs } from '#web/platform/router/screen.ts';

/** Below the key of the list: what changes a card changes both. Never kept on the device. */
export const primaryCardQuery = queryOptions({
  queryKey: ['payment-cards', 'primary'] as const,
  queryFn: ({ signal }) => request(getPrimaryCard, { signal }),
});

/** Starts beside the screen's bundle. */
export function preloadAccount({ client }: PreloadArgs): void {
  void client.prefetchQuery(primaryCardQuery);
}
