import { classes } from './classes.ts';
import styles from './money.module.css';

export type MoneyProps = {
  /** In minor units of the currency. */
  amount: number;
  currency: string;
  size?: 'inherit' | 'large' | undefined;
  className?: string | undefined;
};

export function Money({ amount, currency, size = 'inherit', className }: MoneyProps) {
  return (
    <span className={classes(styles.money, size === 'large' && styles.large, className)}>
      {formatMoney(amount, currency)}
    </span>
  );
}

const formats = new Map<string, Intl.NumberFormat>();

export function formatMoney(amount: number, currency: string): string {
  let format = formats.get(currency);
  if (!format) {
    format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
    formats.set(currency, format);
  }
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
