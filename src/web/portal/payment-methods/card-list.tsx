import { CardName, spokenCardName } from '#web/features/payment/card-name.tsx';
import type { PaymentCard } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Menu } from '#web/ui/popup/menu.tsx';
import { RowList } from '../parts/row-list.tsx';

export type CardListProps = {
  cards: readonly PaymentCard[];
  onMakePrimary: (card: PaymentCard) => void;
  onDelete: (card: PaymentCard) => void;
};

export function CardList({ cards, onMakePrimary, onDelete }: CardListProps) {
  return (
    <RowList
      label="Saved cards"
      rows={cards.map((card) => ({
        id: card.id,
        title: (
          <>
            <CardName card={card} /> <Standing card={card} />
          </>
        ),
        facts: factsOf(card),
        action: (
          <Menu
            label=""
            icon="more"
            variant="quiet"
            accessibleLabel={`Change ${spokenCardName(card)}`}
            items={[
              ...(card.primary || card.expired
                ? []
                : [{ id: 'primary', label: 'Make primary', onSelect: () => onMakePrimary(card) }]),
              { id: 'delete', label: 'Delete', isDanger: true, onSelect: () => onDelete(card) },
            ]}
          />
        ),
      }))}
    />
  );
}

function Standing({ card }: { card: PaymentCard }) {
  return (
    <>
      {card.primary && <Badge tone="success">Primary</Badge>}{' '}
      {card.expired && (
        <Badge tone="danger" icon="warning">
          Expired
        </Badge>
      )}
      {card.expiresSoon && (
        <Badge tone="warning" icon="clock">
          Expires soon
        </Badge>
      )}
    </>
  );
}

const FUNDING: Readonly<Record<string, string>> = {
  credit: 'Credit card',
  debit: 'Debit card',
  prepaid: 'Prepaid card',
};

function factsOf({ funding, expired, expDate }: PaymentCard): string {
  return `${FUNDING[funding] ?? 'Card'}, ${expired ? 'expired' : 'expires'} ${expDate}`;
}
