import { Suspense } from 'react';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import type { OrderDetailsProps } from './order-details.tsx';

const OrderDetails = lazyComponent(() => import('./order-details.tsx').then((module) => module.OrderDetails));

/** Order details below more important content: their code is loaded later. */
export function LateOrderDetails(props: OrderDetailsProps) {
  return (
    <Suspense fallback={null}>
      <OrderDetails {...props} />
    </Suspense>
  );
}
