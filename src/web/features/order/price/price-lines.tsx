import { t } from '#web/language/texts.ts';
import type { QuoteLine } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { PriceBreakdown, type PriceLine } from '#web/ui/data/price-breakdown.tsx';
import { nameLeg } from '../order-status.ts';
import styles from './price-lines.module.css';

/** `refund`: the refund of a canceled line. */
type ShownLine = QuoteLine & { refund?: number | undefined };

type PriceLinesProps = {
  lines: readonly ShownLine[];
  total: number;
  /** Contained in the total. */
  tax: number;
  currency: string;
  totalLabel?: string | undefined;
};

export function PriceLines({ lines, total, tax, currency, totalLabel }: PriceLinesProps) {
  return (
    <div>
      <PriceBreakdown
        lines={lines.map((line, index) => presentLine(line, index, lines, currency))}
        total={{ label: totalLabel, amount: total }}
        currency={currency}
      />
      {tax > 0 && (
        <p className={styles.tax}>{t('Includes {amount} tax.', { amount: formatMoney(tax, currency) })}</p>
      )}
    </div>
  );
}

function presentLine(
  line: ShownLine,
  index: number,
  lines: readonly ShownLine[],
  currency: string,
): PriceLine {
  const { leg, kind, description, quantity, unitAmount, amount, refund } = line;
  const each = quantity > 1 ? t('{amount} each', { amount: formatMoney(unitAmount, currency) }) : null;
  const back =
    refund !== undefined && amount > 0
      ? t('Refund {amount}', { amount: formatMoney(refund, currency) })
      : null;
  return {
    id: `${index}-${leg}-${kind}`,
    label: quantity > 1 ? `${quantity} × ${description}` : description,
    detail: [nameLeg(line, lines), each, back].filter(Boolean).join(' · ') || undefined,
    amount: line.isDriver ? t('Included') : amount,
  };
}
