import { classes } from '../classes.ts';
import styles from './money.module.css';

type MoneyProps = {
  /** In minor units of the currency. */
  amount: number;
  currency: string;
  size?: 'large' | undefined;
};

export function Money({ amount, currency, size }: MoneyProps) {
  return <span className={classes(styles.money, size && styles[size])}>{formatMoney(amount, currency)}</span>;
}

export function formatMoney(amount: number, currency: string): string {
  const symbol = SYMBOLS[currency];
  return symbol === undefined ? formatWithIntl(amount, currency) : formatCents(amount, symbol);
}

// As en-US writes them. The first Intl.NumberFormat of a page keeps a slow phone busy for fifty milliseconds.
const SYMBOLS: Partial<Record<string, string>> = { USD: '$', CAD: 'CA$', EUR: '€', GBP: '£' };

function formatCents(amount: number, symbol: string): string {
  const digits = String(Math.abs(Math.round(amount))).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${amount < 0 ? '-' : ''}${symbol}${whole}.${digits.slice(-2)}`;
}

const formats = new Map<string, Intl.NumberFormat>();

function formatWithIntl(amount: number, currency: string): string {
  let format = formats.get(currency);
  if (!format) {
    format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
    formats.set(currency, format);
  }
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
