import { classes } from '#web/ui/classes.ts';
import { formatMoney } from '#web/ui/money.tsx';
import styles from './card-balance.module.css';
import { formatAsOf, isOldBalance } from './freshness.ts';

export type CardBalanceProps = {
  /** In minor units of the currency. */
  balance: number;
  currency: string;
  /** When it was this. */
  asOf: string;
  /** In milliseconds. */
  now: number;
};

/** What is on a trip card, never without when that was; a day later it is only what was known last. */
export function CardBalance({ balance, currency, asOf, now }: CardBalanceProps) {
  return (
    <p className={classes(styles.balance, isOldBalance(asOf, now) && styles.old)}>
      <span className="visually-hidden">Balance: </span>
      <strong className={styles.amount}>{formatMoney(balance, currency)}</strong>{' '}
      <time className={styles.time} dateTime={asOf} data-age="balance">
        {formatAsOf(asOf, now)}
      </time>
    </p>
  );
}
