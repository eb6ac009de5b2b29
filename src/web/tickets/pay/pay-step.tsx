import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { cancelOrder } from '#contract/orders/endpoints.ts';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { PaymentCheck } from '#web/features/payment/payment-check.tsx';
import { Questions } from '#web/features/site/contact-ways.tsx';
import { type FailedQuery, LoadProblem } from '#web/features/site/load-problem.tsx';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { Catalogue, Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import type { IsoDate } from '#web/ui/calendar/calendar.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { changeDraft, draftStore, lapseDraft, useDraft } from '../draft.ts';
import { useFinish } from '../finish.ts';
import { clockOffsetOf, LAPSED } from '../hold.ts';
import { HoldClock } from '../hold-clock.tsx';
import { StepHeading } from '../step-heading.tsx';
import { StepAside, StepLayout, StepMain, StepStatus } from '../step-layout.tsx';
import { useGoToStep } from '../steps.ts';
import { writes } from '../writes.ts';
import { CardPayment } from './card-payment.tsx';
import { LapsedOrder } from './lapsed-order.tsx';
import { createOrderPayment } from './order-payment.ts';
import { OrderToPay } from './order-to-pay.tsx';
import { findPhase } from './payment-phase.ts';

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
        <NoOrder query={order} />
      ) : (
        <output>
          <span className="visually-hidden">Loading your order…</span>
          <Skeleton height="3rem" lines={3} />
        </output>
      )}
    </StepLayout>
  );
}

function NoOrder({ query }: { query: FailedQuery }) {
  const goToStep = useGoToStep();
  const isGone = hasErrorCode(query.error, 'not_found');

  function goBack() {
    lapseDraft(LAPSED);
    goToStep('sailings', { replace: true });
  }

  if (!isGone) return <LoadProblem title="Your order could not be loaded" query={query} />;
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
  const [payment] = useState(() => createOrderPayment(order.id, client));
  const { name } = usePaymentState(payment);
  const [isOver, setIsOver] = useState(false);
  const isLapsed = isOver && order.hold === null;
  const phase = findPhase(order);
  const isSent = name === 'unknown' || name === 'paid';
  useEffect(() => beginBusy('payment open'), []);
  useEffect(() => adoptHold(order), [order]);
  const isFinished = useRef(false);
  useEffect(() => {
    const finishOnce = () => {
      if (!isFinished.current) finish(order.id);
      isFinished.current = true;
    };
    if (phase === 'done') finishOnce();
    // The purchase is reported from the confirmed order, so it is read before this page is left.
    else if (name === 'paid') void client.refetchQueries(orderQuery(order.id)).then(finishOnce, finishOnce);
  }, [phase, name, order.id, finish, client]);
  useEffect(() => {
    if (phase === 'checking' && name === 'ready') payment.tell({ type: 'sent-elsewhere' });
  }, [phase, name, payment]);

  if (phase === 'done') return null;
  if ((isLapsed || phase === 'lapsed') && !isSent) return <LapsedOrder order={order} {...trip} />;
  if (isSent || phase === 'checking') {
    return (
      <Card>
        <PaymentCheck payment={payment}>
          You can also close this page. If the payment goes through, we email your tickets. Otherwise, nothing
          is charged. Your order is <strong>{order.reference}</strong>. <Questions />
        </PaymentCheck>
      </Card>
    );
  }
  return (
    <>
      {draft.hold && (
        <StepStatus>
          <HoldClock
            hold={draft.hold}
            onExpire={() => {
              // The server extends the hold for a payment that was sent.
              if (!draftStore.get().isPaymentOpen) setIsOver(true);
              payment.refresh();
            }}
          />
        </StepStatus>
      )}
      <StepAside>
        <OrderToPay order={order} />
      </StepAside>
      <StepMain>
        <CardPayment order={order} payment={payment} />
        <GiveUp orderId={order.id} />
      </StepMain>
    </>
  );
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
    mutationFn: () =>
      writes.run(`cancel:${orderId}`, (key) =>
        request(cancelOrder, { params: { id: orderId }, idempotencyKey: key }),
      ),
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
