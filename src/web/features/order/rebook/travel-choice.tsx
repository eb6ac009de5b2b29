import type { QueryKey } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { Order } from '#web/platform/api/types.ts';
import { focusMain } from '#web/platform/router/focus-main.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';

const ChoiceCards = lazyComponent(async () => (await import('./choice-cards.tsx')).ChoiceCards);
const CancelDialog = lazyComponent(async () => (await import('../cancel/cancel-dialog.tsx')).CancelDialog);

export type TravelChoiceProps = {
  order: Order;
  /** The query with which the screen loads the order. */
  queryKey: QueryKey;
};

/** The choice of passengers whose sailing is canceled, late or too full, until its deadline. */
export function TravelChoice(props: TravelChoiceProps) {
  const { order, queryKey } = props;
  const [refunded, setRefunded] = useState<readonly string[] | null>(null);
  const hasChoice = Date.parse(order.choiceUntil ?? '') > Date.now();

  function close() {
    setRefunded(null);
    // The button disappears with the choice.
    if (!hasChoice) focusMain();
  }

  return (
    <>
      {hasChoice && (
        <Suspense fallback={null}>
          <ChoiceCards {...props} onRefund={setRefunded} />
        </Suspense>
      )}
      {refunded && (
        <Suspense fallback={null}>
          <CancelDialog order={order} queryKey={queryKey} preselected={refunded} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
