import { Fragment, type ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Fold } from '#web/ui/layout/fold.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { listAllLegs, nameTickets } from '../order/journeys.ts';
import { BoatTransfer } from '../order/leg-summary.tsx';
import { findLegBadge } from '../order/order-status.ts';
import { nameCrossing } from '../order/order-title.tsx';
import { isPast } from '../order/trips.ts';
import { readCrossingTimes } from '../sailing/crossing-times.ts';
import { SavedAge } from '../saved-offline/saved-age.tsx';
import { OrderGate } from './gate/order-gate.tsx';
import { useGateView } from './gate/use-gate-view.ts';
import { useIsCovered } from './gate/use-is-covered.ts';
import { getTicketBadge } from './ticket-badge.ts';
import { TicketSet } from './ticket-set.tsx';
import { listLegsByUse, listTicketsOfLeg, type TicketHolder } from './tickets-of-order.ts';

type OrderTicketsProps = {
  order: TicketHolder;
  isFresh: boolean;
  /** What is unusual about the trip: below a code that can be scanned, above one that cannot. */
  attention?: ReactNode;
};

/** The tickets of the next crossing, those of the others folded; full screen if the address says so. */
export function OrderTickets({ order, isFresh, attention }: OrderTicketsProps) {
  const { shown, at, close } = useGateView();
  const isCovered = useIsCovered();
  const [next, ...others] = listLegsByUse(order, serverNow()).filter(
    (leg) => listTicketsOfLeg(order, leg).length > 0,
  );
  const canScan = next !== undefined && hasValidTicket(order, next);
  const noPrint = isPast(order) ? '' : undefined;
  // With keys, so that a dialog that is open in the one stays when the last of the others is canceled.
  const about = <Fragment key="about">{attention}</Fragment>;
  const tickets = next && (
    <section key="tickets" aria-labelledby={headingId(next)} data-no-print={noPrint}>
      <h2 id={headingId(next)} className="visually-hidden">
        {nameTickets(next, listAllLegs(order))}
      </h2>
      <LegTickets order={order} leg={next} isFresh={isFresh} />
    </section>
  );
  return (
    <>
      {!isCovered && (
        <Stack>
          {canScan ? [tickets, about] : [about, tickets]}
          {others.map((leg) => (
            <section key={leg.leg} aria-labelledby={headingId(leg)} data-no-print={noPrint}>
              <Fold
                title={
                  <>
                    <span id={headingId(leg)}>{nameTickets(leg, listAllLegs(order))}</span>{' '}
                    <FoldedBadge order={order} leg={leg} />
                  </>
                }
                note={describeFolded(order, leg)}
              >
                <LegTickets order={order} leg={leg} isFresh={isFresh} />
              </Fold>
            </section>
          ))}
        </Stack>
      )}
      {shown !== null && <OrderGate order={order} isFresh={isFresh} at={at} onClose={close} />}
    </>
  );
}

function hasValidTicket(order: TicketHolder, leg: Leg): boolean {
  return listTicketsOfLeg(order, leg).some((ticket) => !getTicketBadge(ticket, leg).isVoid);
}

function headingId({ leg }: Leg): string {
  return `tickets-${leg}`;
}

/** "Heron Island → Port Madrona, Tue, Dec 8 · 9:50 AM · 2 tickets" */
function describeFolded(order: TicketHolder, leg: Leg): string {
  const count = listTicketsOfLeg(order, leg).length;
  const { departs } = readCrossingTimes(leg);
  return [
    nameCrossing(leg),
    departs.text,
    t('{count, plural, one {# ticket} other {# tickets}}', { count }),
  ].join(' · ');
}

/** What must be known without unfolding: that no ticket is valid, or that the boat does not sail as planned. */
function FoldedBadge({ order, leg }: { order: TicketHolder; leg: Leg }) {
  const [ticket] = listTicketsOfLeg(order, leg);
  const badge = ticket && !hasValidTicket(order, leg) ? getTicketBadge(ticket, leg) : findLegBadge(leg);
  return badge && <Badge tone={badge.tone}>{badge.label}</Badge>;
}

function LegTickets({ order, leg, isFresh }: Omit<OrderTicketsProps, 'attention'> & { leg: Leg }) {
  const { linkTo } = useGateView();
  return (
    <Stack gap="sm">
      <BoatTransfer leg={leg} legs={order.legs} />
      <TicketSet
        order={order}
        leg={leg}
        freshness={<SavedAge asOf={[order.asOf]} isFresh={isFresh} now={serverNow()} kind="checked" />}
        gateLink={(passId) => linkTo('tickets', passId)}
      />
    </Stack>
  );
}
