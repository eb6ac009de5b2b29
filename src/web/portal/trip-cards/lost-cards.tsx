import { useId } from 'react';
import { may, STATUS_BADGES, titleWithNumber } from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import styles from '../parts/cards.module.css';
import { HistoryLinks } from './trip-card-view.tsx';

/** The lost ones of the customer's cards. They can no longer be used, but their history can be read. */
export function LostCards({ cards }: { cards: readonly TripCard[] }) {
  const lost = cards.filter(({ status }) => status === 'lost');
  return (
    <Stack as="section" gap="sm" aria-labelledby="lost-cards">
      <h2 id="lost-cards">{t('Reported lost')}</h2>
      <ul className={styles.cards}>
        {lost.map((card) => (
          <li key={card.id}>
            <LostCard card={card} replacement={cards.find(({ id }) => id === card.replacedByCardId)} />
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function LostCard({ card, replacement }: { card: TripCard; replacement: TripCard | undefined }) {
  const titleId = useId();
  const { label, tone } = STATUS_BADGES.lost;
  return (
    <Card as="article" tone="sunken" aria-labelledby={titleId}>
      <Stack gap="sm">
        <Cluster justify="between">
          <h3 id={titleId}>{titleWithNumber(card)}</h3>
          <Badge tone={tone}>{t(label)}</Badge>
        </Cluster>
        <p>
          {t('This card no longer works.')}
          {replacement &&
            ` ${t('Its balance moved to the card ending {digits}.', { digits: replacement.lastFour })}`}
        </p>
        {may(card, 'view') && <HistoryLinks card={card} />}
      </Stack>
    </Card>
  );
}
