import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listPaymentCards } from '#contract/payment-cards/endpoints.ts';
import { t } from '#web/language/texts.ts';
import { requestPage } from '#web/platform/api/request.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';
import { useConnectionPhase } from '#web/platform/connection/connection.ts';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { CardName } from './card-name.tsx';

type SavedCardPickerProps = {
  cards: readonly PaymentCard[];
  /** Null if another card is to be entered. */
  chosen: PaymentCard | null;
  onChoose: (id: string) => void;
};

const ANOTHER = 'another';

export function SavedCardPicker({ cards, chosen, onChoose }: SavedCardPickerProps) {
  return (
    <RadioCards
      legend={t('Pay with')}
      value={chosen?.id ?? ANOTHER}
      onChange={onChoose}
      options={[
        ...cards.map((card) => ({
          value: card.id,
          label: <CardName card={card} />,
          description: t(card.primary ? 'Primary card, expires {date}' : 'Expires {date}', {
            date: card.expDate,
          }),
        })),
        { value: ANOTHER, label: t('Another card') },
      ]}
    />
  );
}

/** The card to pay with: the primary one until another is chosen, null for a card that is to be entered. */
export function useCardChoice(
  cards: readonly PaymentCard[],
): [chosen: PaymentCard | null, choose: (id: string) => void] {
  const [choice, choose] = useState<string | null>(null);
  const chosen = choice === ANOTHER ? null : (cards.find(({ id }) => id === choice) ?? cards[0] ?? null);
  return [chosen, choose];
}

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
    refetchInterval: ({ state: { status, data: loaded } }) =>
      isExpected &&
      isConnected &&
      status === 'success' &&
      usable(loaded?.data).length === 0 &&
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
