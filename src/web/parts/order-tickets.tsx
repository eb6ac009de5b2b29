import type { Leg, Order } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Stack } from '#web/ui/stack.tsx';
import { findNextLeg } from './next-leg.ts';
import { legName } from './order-status.ts';
import { SavedAge } from './saved-age.tsx';
import { TicketSet } from './ticket-set.tsx';

/** The tickets to be shown at the gate, those of the next crossing first. */
export function OrderTickets({ order, isFresh }: { order: Order; isFresh: boolean }) {
  const { brand } = useSettings();
  const now = Date.now();
  return inOrderOfUse(order.legs, now).map((leg) => {
    const tickets = ticketsOf(order, leg);
    if (tickets.length === 0) return null;
    const title = order.legs.length > 1 ? `${legName(leg.leg, order.legs.length)} tickets` : 'Tickets';
    return (
      <Stack key={leg.leg} as="section" gap="sm" aria-labelledby={`tickets-${leg.leg}`}>
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
        />
      </Stack>
    );
  });
}

export function hasTickets(order: Order): boolean {
  return order.legs.some((leg) => ticketsOf(order, leg).length > 0);
}

/** Tickets that others took the place of would only be in the way. */
function ticketsOf(order: Order, { leg }: Leg) {
  return order.tickets.filter((ticket) => ticket.leg === leg && ticket.status !== 'replaced');
}

function inOrderOfUse(legs: readonly Leg[], now: number): Leg[] {
  const next = findNextLeg(legs, now);
  return next === null ? [...legs] : [next, ...legs.filter((leg) => leg !== next)];
}
