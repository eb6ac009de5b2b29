import { infiniteQueryOptions } from '@tanstack/react-query';
import { listPaymentCards } from '#web/platform/api/payment-cards.ts';

/** Asked for anew whenever the screen opens: what is paid with is never kept for later. */
export const paymentCardsQuery = infiniteQueryOptions({
  queryKey: ['payment-cards'] as const,
  queryFn: ({ pageParam, signal }) => listPaymentCards(pageParam, { signal }),
  initialPageParam: 1,
  getNextPageParam: ({ meta }) => (meta !== null && meta.page < meta.totalPages ? meta.page + 1 : undefined),
});
