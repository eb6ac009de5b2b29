import { Suspense, useState } from 'react';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Fold } from '#web/ui/layout/fold.tsx';
import { canHaveReceipts } from './can-have-receipts.ts';

const BuyerReceipts = lazyComponent(async () => (await import('./buyer-receipts.tsx')).BuyerReceipts);

type OrderReceiptsProps = { order: Order; buyerSecret?: string | null | undefined };

/** Receipts and credit notes of an order, if the operator issues them. Loaded when it is opened. */
export function OrderReceipts({ order, buyerSecret = null }: OrderReceiptsProps) {
  const [isOpened, setIsOpened] = useState(false);
  if (!canHaveReceipts(order)) return null;
  return (
    <Fold title={t('Receipt|an invoice')} onToggle={() => setIsOpened(true)}>
      <Suspense>{isOpened && <BuyerReceipts order={order} buyerSecret={buyerSecret} />}</Suspense>
    </Fold>
  );
}
