import { useEffect, useRef } from 'react';
import { message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Notice, Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { StickyBar } from '#web/ui/layout/sticky-bar.tsx';
import { hasCompleteDetails } from '../details/details-form.ts';
import {
  HOLD_EXPIRED,
  isExpired,
  isHoldOver,
  useChooseAgain,
  useHoldAgain,
  useReturnToSailings,
} from '../hold.ts';
import { PriceChange } from '../price-change.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { saveOrder, useProceed } from '../save-order.ts';
import { StepAside } from '../step-layout.tsx';
import { type StepProps, useGoToStep } from '../steps.ts';
import { OrderToPay } from './order-to-pay.tsx';

const CANCELED = message(
  'This order was canceled and nothing was charged. Your trip is still here. Tap Continue to order it again.',
);

/** An order whose places are no longer held. One press holds them again and orders them with the same details. */
export function ExpiredOrder({ order, ...trip }: StepProps & { order: Order }) {
  const { quote } = useDraft();
  const box = useRef<HTMLDivElement>(null);
  const orderAgain = useOrderAgain(trip);
  useEffect(() => box.current?.focus(), []);
  if (quote === null) return <ExpiredWithoutTrip />;
  const isPriceNew = quote.total !== order.total;
  return (
    <>
      <div ref={box} tabIndex={-1}>
        <Stack>
          <Notice type="warning" role="alert">
            {t(order.status === 'canceled' ? CANCELED : HOLD_EXPIRED)}
          </Notice>
          {isPriceNew && <PriceChange was={order.total} quote={quote} />}
          <Problem text={orderAgain.problem} />
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
            pendingText={t('Holding your places…')}
            onClick={() => orderAgain.run()}
          >
            {isPriceNew ? t('Accept and continue') : t('Continue')}
          </Button>
        </StickyBar>
      </StepAside>
    </>
  );
}

function useOrderAgain(trip: StepProps) {
  const { terms } = useSettings();
  const purchase = usePurchase();
  const goToStep = useGoToStep();
  const proceed = useProceed({ replace: true });
  const chooseAgain = useChooseAgain();
  const holdAgain = useHoldAgain(trip);

  async function order() {
    const draft = purchase.get();
    if (hasCompleteDetails(trip.catalogue, draft, terms)) {
      return proceed(await saveOrder(purchase, null), draft.contact);
    }
    // Personal data is missing in a tab that was reopened after a while.
    purchase.change({ orderId: null, buyerSecret: null, orderContact: null, paymentId: null });
    goToStep('details', { replace: true });
  }

  async function orderAgain() {
    const { hold, quote } = purchase.get();
    const holdAtSamePrice = async () => (await holdAgain()).total === quote?.total;
    const isHeld = hold !== null && !isExpired(hold);
    if (!isHeld && !(await holdAtSamePrice())) return;
    try {
      await order();
    } catch (error) {
      // This device did not know that the order was canceled elsewhere, or that the server lost the hold.
      if (!isHeld || !isHoldOver(error)) throw error;
      if (await holdAtSamePrice()) await order();
    }
  }

  return useAction(orderAgain, { onFailed: chooseAgain });
}

/** Opened from the order's link, so this tab does not know the trip. */
function ExpiredWithoutTrip() {
  const returnToSailings = useReturnToSailings();
  return (
    <Notice
      type="warning"
      role="alert"
      title={t('Your hold expired')}
      action={<Button onClick={() => returnToSailings(t(HOLD_EXPIRED))}>{t('Choose a sailing')}</Button>}
    >
      {t('Nothing was charged. You can choose a sailing again.')}
    </Notice>
  );
}
