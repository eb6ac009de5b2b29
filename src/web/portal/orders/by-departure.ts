import { findNextLeg } from '#web/features/order/trips.ts';
import type { OrderSummary } from '#web/platform/api/types.ts';

/** Next departure first; what has arrived comes last. */
export function byDeparture(now: number): (a: OrderSummary, b: OrderSummary) => number {
  const departure = ({ legs }: OrderSummary) => {
    const next = findNextLeg(legs, now);
    return next === null ? Number.MAX_SAFE_INTEGER : Date.parse(next.departsAt);
  };
  return (a, b) => departure(a) - departure(b);
}
