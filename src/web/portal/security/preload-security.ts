import type { PreloadArgs } from '#web/platform/router/screen.ts';
import { eventsQuery, overviewQuery, passkeysQuery, sessionsQuery } from './queries.ts';

/** What the screen is made of is fetched beside its bundle. */
export function preloadSecurity({ client }: PreloadArgs): void {
  void client.prefetchQuery(overviewQuery);
  void client.prefetchQuery(passkeysQuery);
  void client.prefetchQuery(sessionsQuery);
  void client.prefetchInfiniteQuery(eventsQuery);
}
