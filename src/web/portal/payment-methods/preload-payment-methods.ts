import type { PreloadArgs } from '#web/platform/router/screen.ts';
import { paymentCardsQuery } from './queries.ts';

/** The list is fetched beside the screen's bundle. */
export function preloadPaymentMethods({ client }: PreloadArgs): void {
  void client.prefetchInfiniteQuery(paymentCardsQuery);
}
