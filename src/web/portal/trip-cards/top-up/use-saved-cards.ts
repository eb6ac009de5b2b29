import { useQuery } from '@tanstack/react-query';
import { listPaymentCards } from '#web/platform/api/payment-cards.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';
import { LOOK_EVERY_MS } from '../filling.ts';

/**
 * Those that can be charged, the primary one first; without news of them another card can always be entered.
 * @param isExpected the first one is being saved: looked for until it is there
 */
export function useSavedCards(isExpected = false): { cards: PaymentCard[]; isPending: boolean } {
  const { data, isPending } = useQuery({
    queryKey: ['payment-cards', 'to-pay-with'],
    queryFn: ({ signal }) => listPaymentCards(1, { signal }),
    // A card that was just paid with may be among them by now.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => isExpected && usable(state.data?.data).length === 0 && LOOK_EVERY_MS,
    retry: false,
  });
  return { cards: usable(data?.data), isPending };
}

function usable(cards: readonly PaymentCard[] = []): PaymentCard[] {
  return cards.filter(({ expired }) => !expired);
}
