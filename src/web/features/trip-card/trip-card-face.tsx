import type { ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import type { PassCard, TripCard } from '#web/platform/api/types.ts';
import { formatDay } from '#web/ui/calendar/calendar.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { formatOnCard } from './card-amount.ts';
import { CardBalance } from './card-balance.tsx';
import { cardTitle, findBadge, hasOwnName, isExpired, isOwn, SHARED_WITH_YOU_TEXTS } from './trip-card.ts';
import styles from './trip-card-face.module.css';

type CardProps = { card: TripCard; now: number };
type FaceProps = CardProps & { color: number | undefined; titleId: string };

/** The colored head of a trip card, as the first thing in a `Card`. `now` in milliseconds. */
export function TripCardFace({ card, now, color, titleId }: FaceProps) {
  const { label, tone, icon } = findBadge(card, now);
  return (
    <div className={styles.face} data-color={color}>
      <Cluster justify="between">
        <h2 id={titleId} className={styles.title}>
          {cardTitle(card)}
        </h2>
        <Badge tone={tone} icon={icon}>
          {t(label)}
        </Badge>
      </Cluster>
      {hasOwnName(card) && <p>{t('Card ending {digits}', { digits: card.lastFour })}</p>}
      <CardBalance card={card} now={now} isListed />
    </div>
  );
}

/** What its holder must know of a trip card: alerts and shares, the end of a pass, and that it is frozen. */
export function TripCardNotes({ card, now, unfreeze }: CardProps & { unfreeze?: ReactNode }) {
  return (
    <>
      <AlertAndShares card={card} />
      {card.unit === 'trips' && <PassEnd card={card} now={now} />}
      {card.status === 'frozen' && (
        <Notice type="warning" title={t('This card is frozen')} action={isOwn(card) && unfreeze}>
          {t('You can’t pay with it, top it up or move money from it.')}{' '}
          {t(isOwn(card) ? 'Your balance is safe.' : 'Its owner can unfreeze it.')}
        </Notice>
      )}
    </>
  );
}

function AlertAndShares({ card }: Pick<CardProps, 'card'>) {
  const { role, lowBalanceAt, sharedWith } = card;
  if (role !== 'owner') return <p>{t(SHARED_WITH_YOU_TEXTS[role])}</p>;
  const notes: string[] = [];
  if (lowBalanceAt !== null)
    notes.push(t('We email you when it falls below {amount}.', { amount: formatOnCard(lowBalanceAt, card) }));
  if (sharedWith.length > 0) {
    notes.push(
      t('Shared with {count, plural, one {# person} other {# people}}.', { count: sharedWith.length }),
    );
  }
  return notes.length === 0 ? null : <p>{notes.join(' ')}</p>;
}

/** Until when a pass is valid; nothing for one without an end. */
function PassEnd({ card, now }: { card: PassCard; now: number }) {
  if (card.validUntil === null) return null;
  return (
    <p>
      {t(isExpired(card, now) ? 'Expired on {date}.' : 'Travel by {date}.', {
        date: formatDay(card.validUntil, 'date'),
      })}
    </p>
  );
}
