import { legName } from '#web/parts/order-status.ts';
import { TicketSet } from '#web/parts/ticket-set.tsx';
import type { Leg, Order } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { formatFreshness } from './freshness.ts';
import { findNextLeg } from './trips.ts';

/** The tickets to be shown at the gate, those of the next crossing first. */
export function OrderTickets({ order }: { order: Order }) {
  const { brand } = useSettings();
  const now = Date.now();
  const legs = inOrderOfUse(order.legs, now).filter((leg) => ticketsOf(order, leg).length > 0);
  if (legs.length === 0) return <NoTickets order={order} />;
  return legs.map((leg) => (
    <Stack key={leg.leg} as="section" gap="sm" aria-labelledby={`tickets-${leg.leg}`}>
      <h2 id={`tickets-${leg.leg}`} className={order.legs.length > 1 ? undefined : 'visually-hidden'}>
        {order.legs.length > 1 ? `${legName(leg.leg, 2)} tickets` : 'Tickets'}
      </h2>
      <TicketSet
        leg={leg}
        tickets={ticketsOf(order, leg)}
        reference={order.reference}
        brand={brand.name}
        contactName={order.contact.name}
        freshness={formatFreshness([order.asOf], now) ?? undefined}
      />
    </Stack>
  ));
}

function NoTickets({ order }: { order: Order }) {
  if (order.displayStatus === 'paying') {
    return <Notice type="warning">This order is waiting for its payment. There are no tickets yet.</Notice>;
  }
  return <Notice>This order has no tickets.</Notice>;
}

/** Tickets that others took the place of would only be in the way. */
function ticketsOf(order: Order, { leg }: Leg) {
  return order.tickets.filter((ticket) => ticket.leg === leg && ticket.status !== 'replaced');
}

function inOrderOfUse(legs: readonly Leg[], now: number): Leg[] {
  const next = findNextLeg(legs, now);
  return next === null ? [...legs] : [next, ...legs.filter((leg) => leg !== next)];
}
