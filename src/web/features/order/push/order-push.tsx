import { Suspense } from 'react';
import type { Order } from '#web/platform/api/types.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { useIdle } from '#web/platform/use-idle.ts';
import { isPast } from '../trips.ts';

const PushControl = lazyComponent(async () => (await import('./push-control.tsx')).PushControl);

/** Has this browser told when a boat of the order is late, canceled or moved. */
export function OrderPush({ order }: { order: Order }) {
  const isIdle = useIdle();
  const isBooked = order.status === 'confirmed' || order.status === 'partly_canceled';
  if (!isIdle || !isBooked || isPast(order)) return null;
  return (
    <Suspense>
      <PushControl orderId={order.id} />
    </Suspense>
  );
}
