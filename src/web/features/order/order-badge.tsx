import type { Order } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { getOrderBadge } from './order-status.ts';

/** A saved screen must not show "Today" on another day, so it paints the lasting label. */
export function OrderBadge({ order }: { order: Pick<Order, 'displayStatus' | 'tripOutcome' | 'legs'> }) {
  const { tone, label, lastingLabel } = getOrderBadge(order, serverNow());
  return (
    <Badge tone={tone}>
      <span data-paint={lastingLabel}>{label}</span>
    </Badge>
  );
}
