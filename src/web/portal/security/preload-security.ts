import type { PreloadArgs } from '#web/platform/router/screen.ts';
import { overviewQuery } from './queries.ts';

/** What the top of the screen is made of is fetched beside its bundle. */
export function preloadSecurity({ client }: PreloadArgs): void {
  void client.prefetchQuery(overviewQuery);
}
