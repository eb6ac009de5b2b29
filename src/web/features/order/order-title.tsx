import { getDirection } from '#domain/orders/legs.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, Order } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { formatShortDay, localDay } from '../site/local-time.ts';
import { getOrderBadge } from './order-status.ts';
import styles from './order-title.module.css';
import { findNextLeg } from './trips.ts';

type Titled = { reference: string; legs: readonly Leg[] };

/** What passengers call an order: its trip, with the reference below. */
export function OrderTitle({ order }: { order: Titled }) {
  return (
    <>
      {nameTrip(order, serverNow())}{' '}
      <small className={styles.reference}>
        <OrderName reference={order.reference} />
      </small>
    </>
  );
}

/** Its next journey, or the first one once all are over; null without any. */
export function nameTrip({ legs }: Pick<Titled, 'legs'>, now: number): string | null {
  const next = findNextLeg(legs, now) ?? legs[0];
  if (!next) return null;
  const isInJourney = ({ leg }: Leg) => getDirection(leg) === getDirection(next.leg);
  const { destination } = legs.findLast(isInJourney) ?? next;
  return nameCrossing({ ...(legs.find(isInJourney) ?? next), destination });
}

/** "Port Madrona → Heron Island, Sat, Nov 28" */
export function nameCrossing({
  origin,
  destination,
  departsLocal,
}: Pick<Leg, 'origin' | 'destination' | 'departsLocal'>): string {
  return t('{from} → {to}, {day}', {
    from: origin.name,
    to: destination.name,
    day: formatShortDay(localDay(departsLocal)),
  });
}

/** "Order K7M4-QXPA", of which a browser's translator leaves the reference alone. */
export function OrderName({ reference }: { reference: string }) {
  return rich('Order <name>{reference}</name>', {
    name: (text) => <span translate="no">{text}</span>,
    reference,
  });
}

/** A saved screen must not show "Today" on another day, so it paints the lasting label. */
export function OrderBadge({ order }: { order: Pick<Order, 'displayStatus' | 'tripOutcome' | 'legs'> }) {
  const { tone, label, lastingLabel } = getOrderBadge(order, serverNow());
  return (
    <Badge tone={tone} icon={order.displayStatus === 'action_needed' ? 'warning' : undefined}>
      <span data-paint={lastingLabel}>{label}</span>
    </Badge>
  );
}
