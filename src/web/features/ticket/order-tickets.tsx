import { Suspense, useEffect } from 'react';
import type { Order } from '#web/platform/api/types.ts';
import { whenIdle } from '#web/platform/next-task.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import { legName } from '../order/order-status.ts';
import { SavedAge } from '../saved-offline/saved-age.tsx';
import { useGateView } from './gate/use-gate-view.ts';
import styles from './order-tickets.module.css';
import { TicketSet } from './ticket-set.tsx';
import { inOrderOfUse, partyCodeOf, partyPassId, ticketsOf } from './tickets-of-order.ts';

const loadGate = () => import('./gate/order-gate.tsx');
const OrderGate = lazyComponent(() => loadGate().then((module) => module.OrderGate));

/** The tickets to be shown at the gate, those of the next crossing first; full screen where the address says so. */
export function OrderTickets({ order, isFresh }: { order: Order; isFresh: boolean }) {
  const { brand } = useSettings();
  const { shown, at, linkTo, close } = useGateView();
  const now = Date.now();
  // At the gate it must open at once, whatever the signal is by then.
  useEffect(() => whenIdle(() => void loadGate().catch(() => undefined)), []);
  return (
    <>
      <div className={styles.legs}>
        {inOrderOfUse(order.legs, now).map((leg) => {
          const tickets = ticketsOf(order, leg);
          if (tickets.length === 0) return null;
          const party = partyCodeOf(order, leg);
          const title = order.legs.length > 1 ? `${legName(leg.leg, order.legs.length)} tickets` : 'Tickets';
          return (
            <Stack
              key={leg.leg}
              as="section"
              gap="sm"
              className={tickets.length > 1 ? styles.several : undefined}
              aria-labelledby={`tickets-${leg.leg}`}
            >
              <h2 id={`tickets-${leg.leg}`} className={order.legs.length > 1 ? undefined : 'visually-hidden'}>
                {title}
              </h2>
              <TicketSet
                leg={leg}
                tickets={tickets}
                reference={order.reference}
                brand={brand.name}
                contactName={order.contact.name}
                freshness={<SavedAge asOf={[order.asOf]} isFresh={isFresh} now={now} />}
                partyPass={party && partyPassId(party)}
                gateLink={(passId) => linkTo('tickets', passId)}
              />
            </Stack>
          );
        })}
      </div>
      {shown !== null && (
        <Suspense fallback={null}>
          <OrderGate order={order} isFresh={isFresh} at={at} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
