import { useState } from 'react';
import type { PaymentCard } from '#web/platform/api/types.ts';
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
      legend="Pay with"
      value={chosen?.id ?? ANOTHER}
      onChange={onChoose}
      options={[
        ...cards.map((card) => ({
          value: card.id,
          label: <CardName card={card} />,
          description: `${card.primary ? 'Primary card, expires' : 'Expires'} ${card.expDate}`,
        })),
        { value: ANOTHER, label: 'Another card' },
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
