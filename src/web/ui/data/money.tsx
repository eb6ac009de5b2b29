import { formatMoney as formatFor, formatShortMoney as formatShortFor } from '#domain/format/money.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { classes } from '../classes.ts';
import styles from './money.module.css';

type MoneyProps = {
  /** In minor units of the currency. */
  amount: number;
  currency: string;
  size?: 'large' | undefined;
};

export function Money({ amount, currency, size }: MoneyProps) {
  return (
    // A prerendered amount stays: Node and the browser may know different symbols of a currency.
    <span className={classes(styles.money, size && styles[size])} suppressHydrationWarning>
      {formatMoney(amount, currency)}
    </span>
  );
}

/** The amount in minor units formatted for people, such as "$12.75". */
export function formatMoney(amount: number, currency: string): string {
  return formatFor(amount, currency, textLanguage());
}

/** The same without decimals if all are zero: "$20". */
export function formatShortMoney(amount: number, currency: string): string {
  return formatShortFor(amount, currency, textLanguage());
}
