import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { clearDraft, useDraft } from '../draft.ts';
import { useGoToStep } from '../steps.ts';

/** An order of this tab that waits for its payment is never lost behind a fresh form. */
export function OpenOrder() {
  const { orderId, isPaymentOpen } = useDraft();
  const goToStep = useGoToStep();
  if (orderId === null) return null;
  return (
    <Notice
      type="warning"
      title="You have an unpaid order"
      action={
        <>
          <Button size="small" onClick={() => goToStep('pay')}>
            Go to payment
          </Button>{' '}
          {!isPaymentOpen && (
            <Button size="small" variant="quiet" onClick={clearDraft}>
              Start a new purchase
            </Button>
          )}
        </>
      }
    />
  );
}
