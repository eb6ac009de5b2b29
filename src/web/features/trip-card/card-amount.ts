import { type CardUnit, formatCardAmount, formatShortCardAmount } from '#domain/trip-cards/card-amounts.ts';
import { textLanguage } from '#web/ui/text-language.ts';

/** An amount of a trip card: "$34.50", or "10 trips" for a pass. */
export function formatOnCard(amount: number, card: CardUnit): string {
  return formatCardAmount(amount, card, textLanguage());
}

/** The same without decimals if all are zero: "$34". */
export function formatShortOnCard(amount: number, card: CardUnit): string {
  return formatShortCardAmount(amount, card, textLanguage());
}
