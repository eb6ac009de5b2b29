import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listPaymentCards } from '#contract/payment-cards/endpoints.ts';
import { requestPage } from '#web/platform/api/request.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';
import { useConnectionPhase } from '#web/platform/connection/connection.ts';

/** The provider reports a saved card some seconds after the payment, or never. */
const LOOK_FOR_CARD_EVERY_MS = 2000;
const EXPECT_CARD_FOR_MS = 30_000;

type SavedCards = {
  cards: PaymentCard[];
  isPending: boolean;
  /** There is none yet, but the first one is being saved. */
  isAwaited: boolean;
};

/**
 * The cards that can be charged, the primary one first.
 * @param expectedSince when saving the first card began: it is looked for during the next 30 seconds
 */
export function useSavedCards(expectedSince: number | null = null): SavedCards {
  const isExpected = useIsExpected(expectedSince);
  const isConnected = useConnectionPhase() !== 'lost';
  const { data, isPending } = useQuery({
    queryKey: ['payment-cards', 'to-pay-with'],
    queryFn: ({ signal }) => requestPage(listPaymentCards, { page: 1, signal }),
    // A card that was just paid with may be among them by now.
    refetchOnMount: 'always',
    refetchInterval: ({ state: { status, data: known } }) =>
      isExpected &&
      isConnected &&
      status === 'success' &&
      usable(known?.data).length === 0 &&
      LOOK_FOR_CARD_EVERY_MS,
    retry: false,
  });
  const cards = usable(data?.data);
  return { cards, isPending, isAwaited: isExpected && cards.length === 0 };
}

function useIsExpected(since: number | null): boolean {
  const [givenUp, giveUp] = useState<number | null>(null);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => giveUp(since), EXPECT_CARD_FOR_MS);
    return () => clearTimeout(timer);
  }, [since]);
  return since !== null && since !== givenUp;
}

function usable(cards: readonly PaymentCard[] = []): PaymentCard[] {
  return cards.filter(({ expired }) => !expired);
}
