import { infiniteQueryOptions } from '@tanstack/react-query';
import { listPaymentCards } from '#contract/payment-cards/endpoints.ts';
import { requestPage } from '#web/platform/api/request.ts';
import type { PreloadArgs } from '#web/platform/router/screen.ts';
import { BY_PAGE } from '../parts/by-page.ts';

/** Never saved on the device. */
export const paymentCardsQuery = infiniteQueryOptions({
  queryKey: ['payment-cards'] as const,
  queryFn: ({ pageParam, signal }) => requestPage(listPaymentCards, { page: pageParam, signal }),
  ...BY_PAGE,
});

/** Loads the list beside the screen's bundle. */
export function preloadPaymentMethods({ client }: PreloadArgs): void {
  void client.prefetchInfiniteQuery(paymentCardsQuery);
}
