import { isTakenByStaff } from '#domain/refunds/refund-method.ts';
import { type CardOfPayment, describeCard } from '#sentences/payment-cards.ts';
import { listPriceLines } from '#sentences/price-lines.ts';
import { formatForReader } from '#web/features/site/reader-time.ts';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Fold } from '#web/ui/layout/fold.tsx';
import { moneyBack } from '../order-status.ts';
import { OrderName } from '../order-title.tsx';
import { isPast } from '../trips.ts';
import styles from './price-card.module.css';
import { PriceLines } from './price-lines.tsx';

/** What an order cost, and how it was paid and refunded. After the trip it is the receipt, which can be printed. */
export function PriceCard({ order, startsOpen }: { order: Order; startsOpen: boolean }) {
  const { lines, status, total, tax, currency } = order;
  const isReceipt = isPast(order) && order.paid > 0;
  return (
    <Fold
      title={t(isReceipt ? 'Receipt' : 'Price')}
      note={<Money amount={total} currency={currency} />}
      startsOpen={startsOpen}
    >
      {isReceipt && <Issuer order={order} />}
      <PriceLines
        lines={listPriceLines(t, lines, { isPartlyCanceled: status === 'partly_canceled' })}
        total={total}
        tax={tax}
        currency={currency}
      />
      <MoneyMoved order={order} isReceipt={isReceipt} />
      {isReceipt && <PrintReceipt />}
    </Fold>
  );
}

/** Prints the order's crossings, price and payment without its tickets. */
function PrintReceipt() {
  return (
    <div className={styles.print} data-no-print="">
      <Button variant="secondary" icon="print" onClick={() => window.print()}>
        {t('Print receipt')}
      </Button>
    </div>
  );
}

function Issuer({ order }: { order: Order }) {
  const { brand } = useSettings();
  return (
    <p className="muted">
      {brand.name} · <OrderName reference={order.reference} />
    </p>
  );
}

function describeRefund(status: Order['refunds'][number]['status'], to: CardOfPayment): string {
  const isThere = status === 'succeeded';
  if (isTakenByStaff(to.method)) {
    return isThere ? t('Paid out at the ticket booth') : t('Ready at the ticket booth');
  }
  if (to.method === 'invoice') return t('Taken off the invoice');
  if (to.method === 'bank') return isThere ? t('Transferred back') : t('To be transferred back');
  const card = describeCard(t, to);
  return isThere ? t('Refunded to {card}', { card }) : t('On its way back to {card}', { card });
}

type MoneyMovedProps = { order: Order; isReceipt: boolean };

/** A receipt also has the days, and what the refunds leave. */
function MoneyMoved({ order, isReceipt }: MoneyMovedProps) {
  const { currency, payments, refunds, paid } = order;
  const refunded = moneyBack(order).amount;
  const moves = [
    ...payments
      .filter(({ status }) => status === 'succeeded')
      .map((payment) => ({ ...payment, term: t('Paid by {card}', { card: describeCard(t, payment) }) })),
    ...refunds
      .filter(({ status }) => status !== 'failed')
      .map(({ destination, status, ...refund }) => ({
        ...refund,
        term: describeRefund(status, { method: destination, ...refund }),
      })),
  ];
  if (moves.length === 0) return null;
  return (
    <dl className={styles.payments}>
      {moves.map(({ id, term, amount, insertedAt }) => (
        <div key={id} className={styles.payment}>
          <dt>
            {term}
            {isReceipt && <span>, {formatForReader('date', insertedAt)}</span>}
          </dt>
          <dd>
            <Money amount={amount} currency={currency} />
          </dd>
        </div>
      ))}
      {isReceipt && refunded > 0 && (
        <div className={`${styles.payment} ${styles.sum}`}>
          <dt>{t('Paid after refunds')}</dt>
          <dd>
            <Money amount={paid - refunded} currency={currency} />
          </dd>
        </div>
      )}
    </dl>
  );
}
