import type { Translate } from '#messages/translate.ts';

/**
 * What receipts say about the tax of top-ups and passes. They are multi-purpose vouchers, which have no tax until they pay
 * (Directive 2006/112/EC, Art. 30a and 30b).
 */
export function describeStoredValueTax(t: Translate): string {
  return t('Taxed when it pays for tickets');
}
