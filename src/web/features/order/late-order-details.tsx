import { Suspense } from 'react';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import type { OrderDetailsProps } from './order-details.tsx';

const OrderDetails = lazyComponent(() => import('./order-details.tsx').then((module) => module.OrderDetails));

/** The same below something that is looked at first: its code does not hold that up. */
export function LateOrderDetails(props: OrderDetailsProps) {
  return (
    <Suspense fallback={null}>
      <OrderDetails {...props} />
    </Suspense>
  );
}
