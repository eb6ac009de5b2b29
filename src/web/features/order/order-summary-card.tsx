import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { describeParty } from '#sentences/party.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, OrderSummary } from '#web/platform/api/types.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { BookAgain } from './book-again/book-again.tsx';
import { LegList } from './leg-list.tsx';
import { ATTENTION } from './order-status.ts';
import styles from './order-summary-card.module.css';
import { OrderBadge, OrderTitle } from './order-title.tsx';

/** One order in a list; the whole card links to `to`. */
export function OrderSummaryCard({ order, to }: { order: OrderSummary; to: string }) {
  const { vehicles = 0, bicycles = 0 } = order;
  return (
    <OrderCard
      order={order}
      to={to}
      foot={
        <>
          <span>{describeParty(t, { passengers: order.partySize, vehicles, bicycles })}</span>
          <Money amount={order.total} currency={order.currency} />
          <BookAgain order={order} variant="quiet" size="small" className={styles.again} />
        </>
      }
    >
      {order.status === 'partly_canceled' && <p className="note">{t('Some tickets are canceled.')}</p>}
    </OrderCard>
  );
}

type OrderCardProps = {
  order: Pick<OrderSummary, 'reference' | 'displayStatus' | 'tripOutcome'> & { legs: Leg[] };
  to: string;
  foot: ReactNode;
  children?: ReactNode;
};

/** An order, or its tickets alone. */
export function OrderCard({ order, to, foot, children }: OrderCardProps) {
  return (
    <Card as="article">
      <Stack gap="sm">
        <div className={styles.head}>
          <h3 className={styles.title}>
            <Link to={to} data-card-link="">
              <OrderTitle order={order} />
            </Link>
          </h3>
          {order.displayStatus === 'action_needed' ? (
            <Link to={`${to}#${ATTENTION}`} className={styles.attention}>
              <OrderBadge order={order} />
            </Link>
          ) : (
            <OrderBadge order={order} />
          )}
        </div>
        <LegList legs={order.legs} />
        {children}
        <Cluster justify="between" className={styles.foot}>
          {foot}
        </Cluster>
      </Stack>
    </Card>
  );
}
