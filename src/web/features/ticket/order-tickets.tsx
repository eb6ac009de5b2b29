import { serverNow } from '#web/platform/server-clock.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import { listAllLegs, nameTickets } from '../order/journeys.ts';
import { BoatTransfer } from '../order/leg-summary.tsx';
import { isPast } from '../order/trips.ts';
import { SavedAge } from '../saved-offline/saved-age.tsx';
import { OrderGate } from './gate/order-gate.tsx';
import { useGateView } from './gate/use-gate-view.ts';
import { useIsCovered } from './gate/use-is-covered.ts';
import styles from './order-tickets.module.css';
import { TicketSet } from './ticket-set.tsx';
import { listLegsByUse, listTicketsOfLeg, type TicketHolder } from './tickets-of-order.ts';

/** Tickets, those of the next crossing first; full screen if the address says so. */
export function OrderTickets({ order, isFresh }: { order: TicketHolder; isFresh: boolean }) {
  const { shown, at, linkTo, close } = useGateView();
  const now = serverNow();
  const all = listAllLegs(order);
  const isCovered = useIsCovered();
  return (
    <>
      <div className={styles.legs} data-no-print={isPast(order) ? '' : undefined}>
        {listLegsByUse(order, now).map((leg) => {
          const name = nameTickets(leg, all);
          const count = listTicketsOfLeg(order, leg).length;
          if (count === 0 || isCovered) return null;
          return (
            <Stack
              key={leg.leg}
              as="section"
              gap="sm"
              className={count > 1 ? styles.several : undefined}
              aria-labelledby={`tickets-${leg.leg}`}
            >
              <h2 id={`tickets-${leg.leg}`} className={all.length > 1 ? undefined : 'visually-hidden'}>
                {name}
              </h2>
              <BoatTransfer leg={leg} legs={order.legs} />
              <TicketSet
                order={order}
                leg={leg}
                freshness={<SavedAge asOf={[order.asOf]} isFresh={isFresh} now={now} kind="checked" />}
                gateLink={(passId) => linkTo('tickets', passId)}
              />
            </Stack>
          );
        })}
      </div>
      {shown !== null && <OrderGate order={order} isFresh={isFresh} at={at} onClose={close} />}
    </>
  );
}
