import { OrderBadge } from '#web/features/order/order-title.tsx';
import { t } from '#web/language/texts.ts';
import type { OrderSummary } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';

type StaffOrderBadgeProps = { order: Pick<OrderSummary, 'displayStatus' | 'tripOutcome' | 'legs'> };

/** The state of an order; one that waits for its buyer does not ask the clerk for an answer. */
export function StaffOrderBadge({ order }: StaffOrderBadgeProps) {
  if (order.displayStatus !== 'action_needed') return <OrderBadge order={order} />;
  return (
    <Badge tone="danger" icon="warning">
      {t('Needs attention')}
    </Badge>
  );
}
