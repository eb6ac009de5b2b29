import { Suspense, useState } from 'react';
import { focusMain } from '#web/platform/router/focus-main.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import type { TravelChoiceProps } from './choice-cards.tsx';

const ChoiceCards = lazyComponent(async () => (await import('./choice-cards.tsx')).ChoiceCards);
const CancelDialog = lazyComponent(async () => (await import('../cancel/cancel-dialog.tsx')).CancelDialog);

/** The choice of passengers whose sailing is canceled, late or too full, until its deadline. */
export function TravelChoice(props: TravelChoiceProps) {
  const { order, queryKey } = props;
  const [refunded, setRefunded] = useState<readonly string[] | null>(null);
  const hasChoice = Date.parse(order.choiceUntil ?? '') > serverNow();

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
