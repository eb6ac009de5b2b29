import { OrderDetails } from '#web/parts/order-details.tsx';
import { legName, orderLooks } from '#web/parts/order-status.ts';
import { TicketSet } from '#web/parts/ticket-set.tsx';
import type { Leg, Order } from '#web/platform/api/types.ts';
import { useStaysInSight } from '#web/platform/connection/screen-in-sight.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Stack } from '#web/ui/stack.tsx';
import styles from './booked-order.module.css';
import { TicketFiles } from './ticket-files.tsx';

export function BookedOrder({ order }: { order: Order }) {
  useStaysInSight();
  const look = orderLooks[order.displayStatus];
  const isAsPlanned = order.status === 'confirmed' || order.status === 'completed';
  return (
    <Stack gap="lg" className={styles.order}>
      <header className={styles.header}>
        <p className={styles.kicker}>
          Order <strong className={styles.reference}>{order.reference}</strong>{' '}
          <Badge tone={look.tone}>{look.label}</Badge>
        </p>
        <h1>{isAsPlanned ? 'Your tickets' : 'Your order'}</h1>
        {isAsPlanned && (
          <p className={styles.mail} data-no-print="">
            Thank you. We have mailed them to {order.contact.email} as well.
          </p>
        )}
      </header>
      {order.notice && (
        <Notice type={order.needsAttention === null ? 'message' : 'warning'} role="status">
          {order.notice}
        </Notice>
      )}
      {order.refunded > 0 && !order.notice && <Notice>Your money is on its way back to your card.</Notice>}
      {order.legs.map((leg) => (
        <LegTickets key={leg.leg} order={order} leg={leg} />
      ))}
      <div data-no-print="">
        <Stack gap="lg">
          <TicketFiles order={order} />
          <OrderDetails order={order} />
        </Stack>
      </div>
    </Stack>
  );
}

function LegTickets({ order, leg }: { order: Order; leg: Leg }) {
  const { brand } = useSettings();
  const tickets = order.tickets.filter((ticket) => ticket.leg === leg.leg);
  if (tickets.length === 0) return null;
  return (
    <section>
      {order.legs.length > 1 && <h2 className={styles.leg}>{legName(leg.leg, order.legs.length)}</h2>}
      <TicketSet
        leg={leg}
        tickets={tickets}
        reference={order.reference}
        brand={brand.name}
        contactName={order.contact.name}
      />
    </section>
  );
}
