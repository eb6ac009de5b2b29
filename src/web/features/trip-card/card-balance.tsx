import type { TripCard } from '#web/platform/api/types.ts';
import { useShowsAtGate } from '#web/platform/connection/readable-offline.ts';
import { classes } from '#web/ui/classes.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { formatAsOf, formatSavedInLine, isOldBalance } from '../saved-offline/freshness.ts';
import { formatOnCard } from './card-amount.ts';
import styles from './card-balance.module.css';

/** The balance with its time, and what the card still owes. `now` in milliseconds. */
export function CardBalance({ card, now }: { card: TripCard; now: number }) {
  const { balance, held, owed, asOf } = card;
  useShowsAtGate(formatSavedInLine([asOf], now));
  return (
    <>
      <div>
        <p className={classes(styles.balance, isOldBalance(asOf, now) && styles.old)}>
          <span className="visually-hidden">Balance: </span>
          <strong className={styles.amount}>{formatOnCard(balance, card)}</strong>{' '}
          <time className={styles.time} dateTime={asOf} data-age="balance">
            {formatAsOf(asOf, now)}
          </time>
        </p>
        {held > 0 && (
          <p className={styles.time}>
            {formatOnCard(held, card)} of it is set aside for a payment under way.{' '}
            {formatOnCard(balance - held, card)} can be spent.
          </p>
        )}
      </div>
      {/* Undefined in a card that an earlier release saved on this device. */}
      {owed > 0 && (
        <Notice type="warning" title={`${formatOnCard(owed, card)} still to pay`}>
          {card.unit === 'trips'
            ? 'Buying the pass again pays this first.'
            : 'A fare or a disputed top-up is still unpaid. Your next top-up pays this first.'}
        </Notice>
      )}
    </>
  );
}
