import { type CardUnit, formatCardAmount, formatShortCardAmount } from '#sentences/card-amounts.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';

/** An amount of a trip card: "$34.50", or "10 trips" for a pass. */
export function formatOnCard(amount: number, card: CardUnit): string {
  return formatCardAmount(t, amount, card, textLanguage());
}

/** The same without decimals if all are zero: "$34". */
export function formatShortOnCard(amount: number, card: CardUnit): string {
  return formatShortCardAmount(t, amount, card, textLanguage());
}
