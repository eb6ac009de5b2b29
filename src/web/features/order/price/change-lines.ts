import { t } from '#web/language/texts.ts';
import type { ChangeQuote } from '#web/platform/api/types.ts';
import type { PriceLine } from '#web/ui/data/price-breakdown.tsx';
import { nameLeg } from '../order-status.ts';

/** The new tickets of a change, and what else makes its difference. `earlier`: names what was paid for the old ones. */
export function listChangeLines(quote: ChangeQuote, earlier: string): PriceLine[] {
  const { lines, fee, carried, forfeited, waived } = quote;
  const extra = (id: string, label: string, amount: number) => (amount === 0 ? [] : [{ id, label, amount }]);
  return [
    ...lines.map((line, index) => ({
      id: `${index} ${line.leg} ${line.kind}`,
      label: line.quantity > 1 ? `${line.quantity} × ${line.description}` : line.description,
      detail: nameLeg(line, lines),
      amount: line.amount,
    })),
    ...extra('fee', t('Change fee'), fee),
    ...extra('carried', earlier, -carried),
    ...extra('forfeited', t('Cancellation fee for removed tickets'), forfeited),
    ...extra('waived', t('Difference not charged'), -waived),
  ];
}
