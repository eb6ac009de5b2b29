import { formatMoney, formatShortMoney } from '#domain/format/money.ts';
import type { Translate } from '#messages/translate.ts';

/** What the amounts of a trip card count. `unit` is missing in data of releases without passes. */
export type CardUnit = { unit?: 'money' | undefined; currency: string } | { unit: 'trips' };

/** Formats an amount of a trip card: "$34.50", or "10 trips" for a pass. */
export function formatCardAmount(t: Translate, amount: number, card: CardUnit, language: string): string {
  return card.unit === 'trips' ? formatTrips(t, amount) : formatMoney(amount, card.currency, language);
}

/** The same without decimals if all are zero: "$34". */
export function formatShortCardAmount(
  t: Translate,
  amount: number,
  card: CardUnit,
  language: string,
): string {
  return card.unit === 'trips' ? formatTrips(t, amount) : formatShortMoney(amount, card.currency, language);
}

/** "1 trip", "10 trips" */
export function formatTrips(t: Translate, count: number): string {
  return t('{count, plural, one {# trip} other {# trips}}', { count });
}
