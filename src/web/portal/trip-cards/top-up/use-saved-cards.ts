import { useQuery } from '@tanstack/react-query';
import { listPaymentCards } from '#web/platform/api/payment-cards.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';

/** Those that can be charged, the primary one first; without news of them another card can always be entered. */
export function useSavedCards(): { cards: PaymentCard[]; isPending: boolean } {
  const { data, isPending } = useQuery({
    queryKey: ['payment-cards', 'to-pay-with'],
    queryFn: ({ signal }) => listPaymentCards(1, { signal }),
    // A card that was just paid with may be among them by now.
    refetchOnMount: 'always',
    retry: false,
  });
  return { cards: (data?.data ?? []).filter(({ expired }) => !expired), isPending };
}
