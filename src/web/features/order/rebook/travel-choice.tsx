import { Suspense } from 'react';
import { focusMain } from '#web/platform/router/focus-main.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { useLazyDialog } from '#web/ui/popup/use-lazy-dialog.ts';
import { isOpenUntil } from '../actions/rules-now.ts';
import { ChoiceCards, type TravelChoiceProps } from './choice-cards.tsx';

const CancelDialog = lazyComponent(async () => (await import('../cancel/cancel-dialog.tsx')).CancelDialog);

/** The choice of passengers whose sailing is canceled, late or too full, until its deadline. */
export function TravelChoice(props: TravelChoiceProps) {
  const { order, queryKey } = props;
  const refund = useLazyDialog<readonly string[]>();
  const hasChoice = isOpenUntil(order.choiceUntil, serverNow());

  function close() {
    refund.close();
    // The button disappears with the choice.
    if (!hasChoice) focusMain();
  }

  return (
    <>
      {hasChoice && <ChoiceCards {...props} onRefund={refund.open} />}
      <Suspense>
        {refund.content && (
          <CancelDialog order={order} queryKey={queryKey} preselected={refund.content} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
