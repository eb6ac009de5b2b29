import { queryOptions } from '@tanstack/react-query';
import { getPrimaryCard } from '#web/platform/api/payment-cards.ts';
import type { PreloadArgs } from '#web/platform/router/screen.ts';

/** Below the key of the list: what changes a card changes both. Never kept on the device. */
export const primaryCardQuery = queryOptions({
  queryKey: ['payment-cards', 'primary'] as const,
  queryFn: ({ signal }) => getPrimaryCard({ signal }),
});

/** Starts beside the screen's bundle. */
export function preloadAccount({ client }: PreloadArgs): void {
  void client.prefetchQuery(primaryCardQuery);
}
