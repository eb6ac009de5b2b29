import { listPriceLines } from '#domain/orders/price-lines.ts';
import { describeCard } from '#domain/payments/labels.ts';
import { formatOnDevice } from '#web/features/site/device-time.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { moneyBack } from '../order-status.ts';
import { isPast } from '../trips.ts';
import styles from './price-card.module.css';
import { PriceLines } from './price-lines.tsx';

/** What an order cost, and how it was paid and refunded. After the trip it is the receipt, which can be printed. */
export function PriceCard({ order }: { order: Order }) {
  const { lines, status, total, tax, currency } = order;
  const isReceipt = isPast(order) && order.paid > 0;
  return (
    <Card title={isReceipt ? 'Receipt' : 'Price'} action={isReceipt && <PrintReceipt />}>
      {isReceipt && <Issuer order={order} />}
      <PriceLines
        lines={listPriceLines(lines, { isPartlyCanceled: status === 'partly_canceled' })}
        total={total}
        tax={tax}
        currency={currency}
      />
      <MoneyMoved order={order} isReceipt={isReceipt} />
    </Card>
  );
}

/** Prints the order's crossings, price and payment without its tickets. */
function PrintReceipt() {
  return (
    <div data-no-print="">
      <Button variant="secondary" icon="print" onClick={() => window.print()}>
        Print receipt
      </Button>
    </div>
  );
}

function Issuer({ order }: { order: Order }) {
  const { brand } = useSettings();
  return (
    <p className="muted">
      {brand.name} · Order <span translate="no">{order.reference}</span>
    </p>
  );
}

type MoneyMovedProps = { order: Order; isReceipt: boolean };

/** A receipt also has the days, and what the refunds leave. */
function MoneyMoved({ order, isReceipt }: MoneyMovedProps) {
  const { currency, payments, refunds, paid } = order;
  const refunded = moneyBack(order).amount;
  const moves = [
    ...payments
      .filter(({ status }) => status === 'succeeded')
      .map((payment) => ({ ...payment, term: `Paid by ${describeCard(payment)}` })),
    ...refunds
      .filter(({ status }) => status !== 'failed')
      .map(({ destination, status, ...refund }) => ({
        ...refund,
        term: `${status === 'succeeded' ? 'Refunded' : 'On its way back'} to ${describeCard({ method: destination, ...refund })}`,
      })),
  ];
  if (moves.length === 0) return null;
  return (
    <dl className={styles.payments}>
      {moves.map(({ id, term, amount, insertedAt }) => (
        <div key={id} className={styles.payment}>
          <dt>
            {term}
            {isReceipt && <span>, {formatOnDevice('date', insertedAt)}</span>}
          </dt>
          <dd>
            <Money amount={amount} currency={currency} />
          </dd>
        </div>
      ))}
      {isReceipt && refunded > 0 && (
        <div className={`${styles.payment} ${styles.sum}`}>
          <dt>Paid after refunds</dt>
          <dd>
            <Money amount={paid - refunded} currency={currency} />
          </dd>
        </div>
      )}
    </dl>
  );
}
