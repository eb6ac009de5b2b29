import type { ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import { Money } from './money.tsx';
import styles from './price-breakdown.module.css';

export type PriceLine = {
  id: string;
  label: ReactNode;
  detail?: ReactNode;
  /** In minor units, or a text such as "Included". */
  amount: number | string;
};
type PriceBreakdownProps = {
  lines: PriceLine[];
  total: { label?: string | undefined; amount: number };
  currency: string;
};

export function PriceBreakdown({ lines, total, currency }: PriceBreakdownProps) {
  return (
    <dl>
      {lines.map((line) => (
        <div key={line.id} className={styles.line}>
          <dt>
            {line.label}
            {line.detail && <div className="note">{line.detail}</div>}
          </dt>
          <dd>
            {typeof line.amount === 'string' ? (
              line.amount
            ) : (
              <Money amount={line.amount} currency={currency} />
            )}
          </dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>{total.label ?? t('Total')}</dt>
        <dd>
          <Money amount={total.amount} currency={currency} size="large" />
        </dd>
      </div>
    </dl>
  );
}
