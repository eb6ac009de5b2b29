import type { Order } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { orderLook } from './order-status.ts';

/** The one word for an order, as true as it can be now. A picture of it does not say "Today" on another day. */
export function OrderBadge({ order }: { order: Pick<Order, 'displayStatus' | 'legs'> }) {
  const { tone, label, lasting } = orderLook(order, Date.now());
  return (
    <Badge tone={tone}>
      <span data-paint={lasting}>{label}</span>
    </Badge>
  );
}
