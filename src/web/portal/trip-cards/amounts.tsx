import { formatTypedAmount, parseTypedAmount } from '#domain/format/typed-amount.ts';
import type { TopUpLimits } from '#domain/trip-cards/card-charges.ts';
import type { CardUnit } from '#sentences/card-amounts.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { TextField, type TextFieldProps } from '#web/ui/form/field.tsx';

/** A field for an amount of money, or for a number of trips of a pass. */
export function AmountField({ label, unit, ...props }: TextFieldProps & { unit: CardUnit }) {
  const isTrips = unit.unit === 'trips';
  return (
    <TextField
      {...props}
      label={`${label} (${isTrips ? t('trips') : unit.currency})`}
      inputMode={isTrips ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={20}
    />
  );
}

/** Reads an amount as it is typed in the page's language, in minor units; null if it is none. */
export function parseAmount(text: string, currency: string): number | null {
  return parseTypedAmount(text, currency, textLanguage());
}

/** The value of a field: "12.50". */
export function formatAmountInput(amount: number, currency: string): string {
  return formatTypedAmount(amount, currency, textLanguage());
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

export function describeAmount(unit: CardUnit): string {
  return t('Enter an amount, like {example}.', {
    example: formatOnCardInput(unit.unit === 'trips' ? 10 : 1000, unit),
  });
}

export function describeLimits({ min, max, step }: TopUpLimits, currency: string): string {
  const range = { min: formatMoney(min, currency), max: formatMoney(max, currency) };
  return step === 1
    ? t('Enter an amount from {min} to {max}.', range)
    : t('Enter an amount from {min} to {max}, in steps of {step}.', {
        ...range,
        step: formatMoney(step, currency),
      });
}
