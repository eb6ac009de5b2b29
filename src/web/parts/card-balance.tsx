import { classes } from '#web/ui/classes.ts';
import { formatMoney } from '#web/ui/money.tsx';
import styles from './card-balance.module.css';
import { formatClockOnDevice } from './freshness.ts';

const OLD_AFTER_MS = 24 * 60 * 60_000;

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
  const isOld = now - Date.parse(asOf) > OLD_AFTER_MS;
  return (
    <p className={classes(styles.balance, isOld && styles.old)}>
      <span className="visually-hidden">Balance: </span>
      <strong className={styles.amount}>{formatMoney(balance, currency)}</strong>{' '}
      <span className={styles.time}>{formatAsOf(asOf, now)}</span>
    </p>
  );
}

/** "as of 2:02 PM today", "last known, Nov 3, 2:02 PM"; on this device's clock. */
export function formatAsOf(asOf: string, now: number): string {
  const then = new Date(asOf);
  const clock = formatClockOnDevice(then);
  const day = then.toLocaleDateString('en-US', { month: 'short', day: 'numeric' });
  if (now - then.getTime() > OLD_AFTER_MS) return `last known, ${day}, ${clock}`;
  const isYesterday = then.getTime() < new Date(now).setHours(0, 0, 0, 0);
  return `as of ${clock} ${isYesterday ? 'yesterday' : 'today'}`;
}
