import { getCurrencyExponent, toDecimal } from '#domain/fares/money.ts';
import type { CardUnit } from '#domain/trip-cards/card-amounts.ts';
import type { TopUpLimits } from '#domain/trip-cards/card-charges.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { TextField, type TextFieldProps } from '#web/ui/form/field.tsx';

/** A field for an amount of money, or for a number of trips of a pass. */
export function AmountField({ label, unit, ...props }: TextFieldProps & { unit: CardUnit }) {
  const isTrips = unit.unit === 'trips';
  return (
    <TextField
      {...props}
      label={`${label} (${isTrips ? 'trips' : unit.currency})`}
      inputMode={isTrips ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={12}
    />
  );
}

/** Reads "12.50", "$12.5" or "1,200" in minor units; null if it is not an amount or ambiguous, such as "12,50". */
export function parseAmount(text: string, currency: string): number | null {
  const bare = text.replace(/[\s$€£]/g, '');
  const exponent = getCurrencyExponent(currency);
  const match = /^(\d{1,8}|\d{1,3}(?:,\d{3})+)(?:\.(\d*))?$/.exec(bare);
  if (match === null) return null;
  const [, whole = '', decimals = ''] = match;
  if (decimals.length > exponent) return null;
  const amount = Number(whole.replaceAll(',', '') + decimals.padEnd(exponent, '0'));
  return amount <= MAX_AMOUNT ? amount : null;
}

/** The value of a field: "12.50". */
export function formatAmountInput(amount: number, currency: string): string {
  return toDecimal(amount, currency);
}

/** Reads an amount of the card's unit; null if it is none. */
export function parseOnCard(text: string, unit: CardUnit): number | null {
  if (unit.unit !== 'trips') return parseAmount(text, unit.currency);
  const trips = text.trim();
  return /^\d{1,6}$/.test(trips) ? Number(trips) : null;
}

/** The value of a field: "12.50", or "3" for trips. */
export function formatOnCardInput(amount: number, unit: CardUnit): string {
  return unit.unit === 'trips' ? String(amount) : formatAmountInput(amount, unit.currency);
}

export function describeLimits({ min, max, step }: TopUpLimits, currency: string): string {
  const range = `Enter an amount from ${formatMoney(min, currency)} to ${formatMoney(max, currency)}`;
  return step === 1 ? `${range}.` : `${range}, in steps of ${formatMoney(step, currency)}.`;
}

const MAX_AMOUNT = 99_999_999;
