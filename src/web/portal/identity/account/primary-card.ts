import { queryOptions } from '@tanstack/react-query';
import { getPrimaryCard } from '#contract/payment-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { PreloadArgs } from '#web/platform/router/screen.ts';

/** Invalidated together with the list of cards. Never saved on the device. */
export const primaryCardQuery = queryOptions({
  queryKey: ['payment-cards', 'primary'] as const,
  queryFn: ({ signal }) => request(getPrimaryCard, { signal }),
});

/** Starts the screen's query while its chunk loads. */
export function preloadAccount({ client }: PreloadArgs): void {
  void client.prefetchQuery(primaryCardQuery);
}
