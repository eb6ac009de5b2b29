import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { describeParty } from '#domain/fares/party.ts';
import type { Leg, OrderSummary } from '#web/platform/api/types.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { LegList } from './leg-list.tsx';
import { OrderBadge } from './order-badge.tsx';
import styles from './order-summary-card.module.css';

/** One order in a list; the whole card links to `to`. */
export function OrderSummaryCard({ order, to }: { order: OrderSummary; to: string }) {
  const { vehicles = 0, bicycles = 0 } = order;
  return (
    <OrderCard
      order={order}
      to={to}
      foot={
        <>
          <span>{describeParty({ passengers: order.partySize, vehicles, bicycles })}</span>
          <Money amount={order.total} currency={order.currency} />
        </>
      }
    >
      {order.status === 'partly_canceled' && <p className="note">Some tickets are canceled.</p>}
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
        <Cluster justify="between">
          <h3 className={styles.reference} translate="no">
            <Link to={to} data-card-link="">
              {order.reference}
            </Link>
          </h3>
          <OrderBadge order={order} />
        </Cluster>
        <LegList legs={order.legs} />
        {children}
        <Cluster justify="between" className={styles.foot}>
          {foot}
        </Cluster>
      </Stack>
    </Card>
  );
}
