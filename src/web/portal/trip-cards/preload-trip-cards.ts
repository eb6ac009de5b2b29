import type { PreloadArgs } from '#web/platform/router/screen.ts';
import { entriesQuery, topUpsQuery, tripCardQuery, tripCardsQuery } from './queries.ts';

/** What each screen shows first is fetched beside its bundle. */
export function preloadTripCards({ client }: PreloadArgs): void {
  void client.prefetchInfiniteQuery(tripCardsQuery);
}

export function preloadBalance({ client, params: { id = '' } }: PreloadArgs): void {
  void client.prefetchQuery(tripCardQuery(id));
  void client.prefetchInfiniteQuery(entriesQuery(id));
}

export function preloadTopUps({ client, params: { id = '' } }: PreloadArgs): void {
  void client.prefetchQuery(tripCardQuery(id));
  void client.prefetchInfiniteQuery(topUpsQuery(id));
}
