import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { errorText } from '#web/platform/api/api-error.ts';
import type { Catalogue, Order } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import type { IsoDate } from '#web/ui/calendar/calendar.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { StickyBar } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { findDraftProblems } from '../details/use-details.ts';
import { changeDraft, draftStore, lapseDraft, useDraft } from '../draft.ts';
import { isOver, LAPSED } from '../hold.ts';
import { PriceChange } from '../price-change.tsx';
import { isHoldOver, saveOrder, useChooseAgain, useProceed } from '../save-order.ts';
import { StepAside } from '../step-layout.tsx';
import { useGoToStep } from '../steps.ts';
import { useTakePlacesAgain } from '../take-places-again.ts';
import { OrderToPay } from './order-to-pay.tsx';

type LapsedOrderProps = { order: Order; catalogue: Catalogue; today: IsoDate };

const CANCELED =
  'This order was canceled and nothing was charged. Your trip is still here. Tap Continue to order it again.';

/** An order whose places are no longer held: one press takes them again and orders them with the same details. */
export function LapsedOrder({ order, catalogue, today }: LapsedOrderProps) {
  const { quote } = useDraft();
  const box = useRef<HTMLDivElement>(null);
  const orderAgain = useOrderAgain(catalogue, today);
  useEffect(() => box.current?.focus(), []);
  if (quote === null) return <LapsedElsewhere />;
  const isPriceNew = quote.total !== order.total;
  return (
    <>
      <div ref={box} tabIndex={-1}>
        <Stack>
          <Notice type="warning" role="alert">
            {order.status === 'cancelled' ? CANCELED : LAPSED}
          </Notice>
          {isPriceNew && <PriceChange was={order.total} quote={quote} />}
          {orderAgain.isError && (
            <Notice type="alert" role="alert">
              {errorText(orderAgain.error)}
            </Notice>
          )}
        </Stack>
      </div>
      <StepAside>
        <OrderToPay order={order} />
        <StickyBar>
          <div>
            <Money amount={quote.total} currency={quote.currency} size="large" />
          </div>
          <Button
            size="large"
            isPending={orderAgain.isPending}
            pendingText="Holding your places…"
            onClick={() => orderAgain.mutate()}
          >
            {isPriceNew ? 'Accept and continue' : 'Continue'}
          </Button>
        </StickyBar>
      </StepAside>
    </>
  );
}

function useOrderAgain(catalogue: Catalogue, today: IsoDate) {
  const { terms } = useSettings();
  const goToStep = useGoToStep();
  const proceed = useProceed({ replace: true });
  const chooseAgain = useChooseAgain();
  const takePlacesAgain = useTakePlacesAgain(catalogue, today);

  /** @returns whether the price is still the one that was shown */
  async function takePlaces(): Promise<boolean> {
    const shown = draftStore.get().quote?.total;
    return (await takePlacesAgain()).total === shown;
  }

  async function order() {
    const draft = draftStore.get();
    const problems = findDraftProblems(catalogue, draft, terms);
    if (problems.length === 0) return proceed(await saveOrder({ ...draft, orderId: null }), draft.contact);
    // A tab that was opened again after a while no longer knows who was buying.
    changeDraft({ orderId: null, orderContact: null, paymentId: null });
    goToStep('details', { replace: true });
  }

  return useMutation({
    mutationFn: async () => {
      const { hold } = draftStore.get();
      const isHeld = hold !== null && !isOver(hold);
      if (!isHeld && !(await takePlaces())) return;
      try {
        await order();
      } catch (error) {
        // Held by this device's knowledge only: the order was canceled elsewhere, or the server lost the hold.
        if (!isHeld || !isHoldOver(error)) throw error;
        if (await takePlaces()) await order();
      }
    },
    onError: chooseAgain,
  });
}

/** Opened from its link: the trip was never chosen in this tab. */
function LapsedElsewhere() {
  const goToStep = useGoToStep();

  function goBack() {
    lapseDraft(LAPSED);
    goToStep(draftStore.get().hasSearched ? 'sailings' : 'trip', { replace: true });
  }

  return (
    <Notice
      type="warning"
      role="alert"
      title="Your hold expired"
      action={<Button onClick={goBack}>Choose a sailing</Button>}
    >
      Nothing was charged. You can choose a sailing again.
    </Notice>
  );
}
