import type { TripCard } from '#web/platform/api/types.ts';
import { useShowsAtGate } from '#web/platform/connection/readable-offline.ts';
import { classes } from '#web/ui/classes.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { formatAsOf, formatSavedInLine, isOldBalance } from '../saved-offline/freshness.ts';
import styles from './card-balance.module.css';

/** The balance with its time, and what the card still owes. `now` in milliseconds. */
export function CardBalance({ card, now }: { card: TripCard; now: number }) {
  const { balance, held, owed, currency, asOf } = card;
  useShowsAtGate(formatSavedInLine([asOf], now));
  return (
    <>
      <div>
        <p className={classes(styles.balance, isOldBalance(asOf, now) && styles.old)}>
          <span className="visually-hidden">Balance: </span>
          <strong className={styles.amount}>{formatMoney(balance, currency)}</strong>{' '}
          <time className={styles.time} dateTime={asOf} data-age="balance">
            {formatAsOf(asOf, now)}
          </time>
        </p>
        {held > 0 && (
          <p className={styles.time}>
            {formatMoney(held, currency)} of it is set aside for a payment under way.{' '}
            {formatMoney(balance - held, currency)} can be spent.
          </p>
        )}
      </div>
      {/* Undefined in a card that an earlier release saved on this device. */}
      {owed > 0 && (
        <Notice type="warning" title={`${formatMoney(owed, currency)} still to pay`}>
          A fare or a disputed top-up is still unpaid. Your next top-up pays this first.
        </Notice>
      )}
    </>
  );
}
