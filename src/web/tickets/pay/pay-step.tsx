import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { LoadProblem } from '#web/parts/load-problem.tsx';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { cancelOrder } from '#web/platform/api/ticket-office.ts';
import type { Catalogue, Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/button.tsx';
import type { IsoDate } from '#web/ui/calendar.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { runAttempt } from '../attempts.ts';
import { changeDraft, draftStore, lapseDraft, useDraft } from '../draft.ts';
import { useFinish } from '../finish.ts';
import { clockOffsetOf, LAPSED } from '../hold.ts';
import { HoldClock } from '../hold-clock.tsx';
import { StepHeading } from '../step-heading.tsx';
import { StepAside, StepLayout, StepMain, StepStatus } from '../step-layout.tsx';
import { useGoToStep } from '../steps.ts';
import { CardPayment } from './card-payment.tsx';
import { askProviderAgain } from './card-provider.ts';
import { LapsedOrder } from './lapsed-order.tsx';
import { OrderToPay } from './order-to-pay.tsx';
import { isWholeUnderWay } from './pay-whole.ts';
import { PaymentCheck } from './payment-check.tsx';
import { findPhase, type SentPayment } from './payment-phase.ts';

type PayStepProps = { catalogue: Catalogue; today: IsoDate };

export function PayStep(props: PayStepProps) {
  const { orderId } = useDraft();
  return orderId === null ? null : <PayOrder key={orderId} orderId={orderId} {...props} />;
}

/** Asks the server first: whatever this tab remembers, only the order itself knows whether it is paid. */
function PayOrder({ orderId, ...trip }: PayStepProps & { orderId: string }) {
  const order = useQuery({ ...orderQuery(orderId), refetchOnMount: 'always' });
  return (
    <StepLayout>
      <StepHeading>Payment</StepHeading>
      {order.data ? (
        <OpenOrderPayment order={order.data} {...trip} />
      ) : order.isError ? (
        <NoOrder error={order.error} isFetching={order.isFetching} onRetry={() => void order.refetch()} />
      ) : (
        <output>
          <span className="visually-hidden">Loading your order…</span>
          <Skeleton height="3rem" lines={3} />
        </output>
      )}
    </StepLayout>
  );
}

type NoOrderProps = { error: unknown; isFetching: boolean; onRetry: () => void };

function NoOrder({ error, isFetching, onRetry }: NoOrderProps) {
  const goToStep = useGoToStep();
  const isGone = hasErrorCode(error, 'not_found');

  function goBack() {
    lapseDraft(LAPSED);
    goToStep('sailings', { replace: true });
  }

  if (!isGone) {
    return (
      <LoadProblem
        title="Your order could not be loaded"
        error={error}
        isFetching={isFetching}
        onRetry={onRetry}
      />
    );
  }
  return (
    <Notice
      type="warning"
      role="alert"
      title="We could not find this order"
      action={<Button onClick={goBack}>Back to the sailings</Button>}
    >
      Your choices are still here, so taking places again is quick.
    </Notice>
  );
}

function OpenOrderPayment({ order, ...trip }: PayStepProps & { order: Order }) {
  const draft = useDraft();
  const client = useQueryClient();
  const finish = useFinish();
  const [sent, setSent] = useState<SentPayment | null>(() =>
    draftStore.get().isPaymentOpen ? sentBefore(order) : null,
  );
  const [failure, setFailure] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const isLapsed = isOver && order.hold === null && sent === null;
  const phase = isLapsed ? 'lapsed' : findPhase(order);
  useEffect(() => beginBusy('payment open'), []);
  useEffect(() => adoptHold(order), [order]);
  useEffect(() => {
    if (phase === 'done') finish(order.id);
  }, [phase, order.id, finish]);

  function refresh() {
    return client.invalidateQueries({ queryKey: orderQuery(order.id).queryKey });
  }

  function failed(text: string) {
    changeDraft({ isPaymentOpen: false });
    setSent(null);
    setFailure(text);
    void refresh();
  }

  if (phase === 'done') return null;
  if (phase === 'lapsed' && sent === null) return <LapsedOrder order={order} {...trip} />;
  if (sent !== null || phase === 'checking') {
    const payment = sent ?? sentBefore(order);
    return <PaymentCheck order={order} sent={payment} onPaid={() => finish(order.id)} onFailed={failed} />;
  }
  return (
    <>
      {draft.hold && (
        <StepStatus>
          <HoldClock
            hold={draft.hold}
            onExpire={() => {
              // A payment on its way keeps the places by itself; the server knows whether there is one.
              if (!draftStore.get().isPaymentOpen) setIsOver(true);
              void refresh();
            }}
          />
        </StepStatus>
      )}
      <StepAside>
        <OrderToPay order={order} />
      </StepAside>
      <StepMain>
        <CardPayment order={order} failure={failure} onSent={setSent} onOrderChanged={() => void refresh()} />
        <GiveUp orderId={order.id} />
      </StepMain>
    </>
  );
}

/** Sent by this tab before a reload, or by another tab. */
function sentBefore(order: Order): SentPayment {
  const known = draftStore.get().paymentId ?? order.payments.at(-1)?.id ?? null;
  return {
    // A payment by trip card alone has no name before its answer; any other is not the one that was sent.
    paymentId: isWholeUnderWay(order) ? null : known,
    isLikelyPaid: false,
    askProvider: () => askProviderAgain(order),
  };
}

/** Starting a payment extends the hold, and so does asking for more time: the later end counts, in every step. */
function adoptHold({ hold, asOf }: Order): void {
  const known = draftStore.get().hold;
  if (hold === null || (known !== null && Date.parse(known.expiresAt) >= Date.parse(hold.expiresAt))) return;
  const { id, expiresAt, canExtend } = hold;
  changeDraft({ hold: { id, expiresAt, canExtend, clockOffset: clockOffsetOf(asOf) } });
}

/** Leaving on purpose gives the places back to others at once. */
function GiveUp({ orderId }: { orderId: string }) {
  const goToStep = useGoToStep();
  const cancel = useMutation({
    mutationFn: () => runAttempt(`cancel:${orderId}`, (key) => cancelOrder(orderId, key)),
    onSuccess: () => {
      lapseDraft('Your order was canceled and nothing was charged. You can choose again.');
      goToStep(draftStore.get().hasSearched ? 'sailings' : 'trip', { replace: true });
    },
  });
  return (
    <div>
      <Button
        variant="quiet"
        isPending={cancel.isPending}
        pendingText="Canceling…"
        onClick={() => cancel.mutate()}
      >
        Cancel and choose another sailing
      </Button>
      {cancel.isError && (
        <Notice type="alert" role="alert">
          {errorText(cancel.error)}
        </Notice>
      )}
    </div>
  );
}
