import { useShowsAtGate } from '#web/platform/connection/readable-offline.ts';
import { classes } from '#web/ui/classes.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { formatAsOf, formatSavedInLine, isOldBalance } from '../saved-offline/freshness.ts';
import styles from './card-balance.module.css';

export type CardBalanceProps = {
  /** In minor units of the currency. */
  balance: number;
  /** What of it is set aside for card payments under way. */
  held: number;
  currency: string;
  /** When it was this. */
  asOf: string;
  /** In milliseconds. */
  now: number;
};

/** What is on a trip card, never without when that was; a day later it is only what was known last. */
export function CardBalance({ balance, held, currency, asOf, now }: CardBalanceProps) {
  useShowsAtGate(formatSavedInLine([asOf], now));
  return (
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
  );
}
