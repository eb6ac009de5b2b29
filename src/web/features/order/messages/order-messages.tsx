import { Suspense, useState } from 'react';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Fold } from '#web/ui/layout/fold.tsx';

const MessageList = lazyComponent(async () => (await import('./message-list.tsx')).MessageList);

/** What was sent about an order: where, when and what. Loaded when it is opened. */
export function OrderMessages({ order }: { order: Order }) {
  const [isOpened, setIsOpened] = useState(false);
  return (
    <Fold title={t('Messages about this order')} onToggle={() => setIsOpened(true)}>
      {isOpened && (
        <Suspense>
          <MessageList orderId={order.id} />
        </Suspense>
      )}
    </Fold>
  );
}
