import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { PaymentCheck } from '#web/features/payment/payment-check.tsx';
import { isOutcomePending } from '#web/features/payment/payment-machine.ts';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { StartFailure } from '#web/features/payment/start-failure.tsx';
import { Questions } from '#web/features/site/contact-ways.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { useSession } from '#web/platform/session/session.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { Notice, Problem } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { cancelUnpaidOrder, HOLD_EXPIRED, toHeldPlaces, useReturnToSailings } from '../hold.ts';
import { HoldClock } from '../hold-clock.tsx';
import { type Purchase, type TripCardPart, useDraft, usePurchase } from '../purchase.ts';
import { useFinish } from '../save-order.ts';
import { saveTickets, useRestoringOrders } from '../saved-tickets/saved-orders.ts';
import { StepAside, StepHeading, StepLayout, StepMain, StepStatus } from '../step-layout.tsx';
import type { StepProps } from '../steps.ts';
import { ExpiredOrder } from './expired-order.tsx';
import { NewCard } from './new-card.tsx';
import { createOrderPayment, findPhase, hasCanceledBoat, type OrderPayment } from './order-payment.ts';
import { OrderToPay } from './order-to-pay.tsx';
import { SavedCards } from './saved-cards.tsx';
import { TripCardFirst } from './trip-card-first.tsx';

export function PayStep(props: StepProps) {
  const { orderId } = useDraft();
  return orderId === null ? null : <PayOrder key={orderId} orderId={orderId} {...props} />;
}

/** How often an open pay step looks whether the boat still runs. */
const LOOK_EVERY_MS = 30_000;

/** Reads the order again first, because only the server knows whether it is paid. */
function PayOrder({ orderId, ...trip }: StepProps & { orderId: string }) {
  // Saved in this browser, because the tab may be closed while the bank decides.
  const order = useQuery({
    ...orderQuery(orderId),
    ...saveTickets(),
    refetchOnMount: 'always',
    refetchInterval: LOOK_EVERY_MS,
  });
  useRestoringOrders();
  const returnToSailings = useReturnToSailings();
  return (
    <StepLayout>
      <StepHeading>{t('Payment')}</StepHeading>
      {order.data ? (
        <OpenOrderPayment order={order.data} {...trip} />
      ) : hasErrorCode(order.error, 'not_found') ? (
        <Notice
          type="warning"
          role="alert"
          title={t('We could not find this order')}
          action={
            <Button onClick={() => returnToSailings(t(HOLD_EXPIRED))}>{t('Back to the sailings')}</Button>
          }
        >
          {t('Your choices are still here, so taking places again is quick.')}
        </Notice>
      ) : (
        <QueryFallback
          query={order}
          problem={t('Your order could not be loaded')}
          loading={t('Loading your order…')}
        >
          <Skeleton height="3rem" lines={3} />
        </QueryFallback>
      )}
    </StepLayout>
  );
}

function OpenOrderPayment({ order, ...trip }: StepProps & { order: Order }) {
  const purchase = usePurchase();
  const { hold, buyerSecret } = useDraft();
  const isBuyer = buyerSecret !== null || order.needsProof === 'none';
  const client = useQueryClient();
  const finish = useFinish();
  const [payment] = useState(() => createOrderPayment(purchase, order.id, client));
  const state = usePaymentState(payment);
  const { name } = state;
  const [isClockOver, setIsClockOver] = useState(false);
  const phase = findPhase(order);
  const isSent = name === 'paid' || isOutcomePending(state);
  useEffect(() => beginBusy('payment open'), []);
  useEffect(() => adoptHold(purchase, order), [purchase, order]);
  const isFinished = useRef(false);
  useEffect(() => {
    const finishOnce = () => {
      if (!isFinished.current) finish(order.id);
      isFinished.current = true;
    };
    if (phase === 'done') finishOnce();
    // Analytics count the confirmed order, so it is read before this page is left.
    else if (name === 'paid') void client.refetchQueries(orderQuery(order.id)).then(finishOnce, finishOnce);
  }, [phase, name, order.id, finish, client]);
  useEffect(() => {
    if (phase === 'checking' && name === 'ready') payment.dispatch({ type: 'sent-elsewhere' });
  }, [phase, name, payment]);

  if (phase === 'done') return null;
  const isExpired = phase === 'expired' || (isClockOver && order.hold === null);
  if (isExpired && !isSent) return <ExpiredOrder order={order} {...trip} />;
  if (isSent || phase === 'checking') {
    return (
      <Card>
        <PaymentCheck payment={payment}>
          {rich(
            'You can also close this page. If the payment goes through, we email your tickets. Otherwise, nothing is charged. Your order is <number>{reference}</number>.',
            {
              reference: order.reference,
              number: (reference) => <strong translate="no">{reference}</strong>,
            },
          )}{' '}
          <Questions />
        </PaymentCheck>
      </Card>
    );
  }
  const isBoatCanceled = name === 'ready' && hasCanceledBoat(order);
  return (
    <>
      {hold && !isBoatCanceled && (
        <StepStatus>
          <HoldClock
            hold={hold}
            onExpire={() => {
              // The server extends the hold while a payment is pending.
              if (!purchase.get().isPaymentOpen) setIsClockOver(true);
              payment.refresh();
            }}
          />
        </StepStatus>
      )}
      <StepAside>
        <OrderToPay order={order} canAskForAssistance={trip.catalogue.assistanceNoticeHours !== undefined} />
      </StepAside>
      <StepMain>
        {isBoatCanceled ? <BoatCanceled /> : <CardPayment order={order} payment={payment} />}
        {isBuyer && <CancelOrder orderId={order.id} />}
      </StepMain>
    </>
  );
}

/** Starting a payment and asking for more time both extend the hold, so the later end counts. */
function adoptHold({ get, change }: Purchase, { hold, asOf }: Order): void {
  const current = get().hold;
  if (hold === null || (current !== null && Date.parse(current.expiresAt) >= Date.parse(hold.expiresAt)))
    return;
  change({ hold: toHeldPlaces({ ...hold, id: current?.id ?? null, asOf }) });
}

function BoatCanceled() {
  return (
    <Notice type="warning" role="alert" title={t('Your sailing has been canceled')}>
      {t('You have not been charged. Choose another sailing.')}
    </Notice>
  );
}

/** Canceling frees the places for others at once. */
function CancelOrder({ orderId }: { orderId: string }) {
  const purchase = usePurchase();
  const returnToSailings = useReturnToSailings();
  const { run, isPending, problem } = useAction(() => cancelUnpaidOrder(purchase, orderId), {
    onDone: () =>
      returnToSailings(t('Your order was canceled and nothing was charged. You can choose again.')),
  });
  return (
    <div>
      <Button
        variant="quiet"
        isPending={isPending}
        pendingText={t('Canceling…|what was begun')}
        onClick={() => run()}
      >
        {t('Cancel and choose another sailing')}
      </Button>
      <Problem text={problem} />
    </div>
  );
}

type CardPaymentProps = { order: Order; payment: OrderPayment };

/** By payment card, by the customer's trip card, or by both. */
export function CardPayment(props: CardPaymentProps) {
  const { isAuthenticated } = useSession();
  if (!isAuthenticated) return <PayByCard {...props} part={null} />;
  return (
    <TripCardFirst
      {...props}
      payByCard={(part) => <PayByCard key={part?.tripCardId ?? ''} {...props} part={part} />}
    />
  );
}

function PayByCard({ order, payment, part }: CardPaymentProps & { part: TripCardPart }) {
  const { isAuthenticated } = useSession();
  const { problem } = usePaymentState(payment);
  const start = useQuery({
    queryKey: ['started-payment', order.id, part],
    queryFn: () => payment.start(part),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { data: started, error } = start;
  const isFinal = hasErrorCode(error, 'order_blocked') || hasErrorCode(error, 'order_closed');
  const open = started && { payment, part, started, canSave: isAuthenticated };

  return (
    <Card title={part ? t('Payment card for the rest') : t('Card')}>
      {error ? (
        <StartFailure start={start} canRetry={!isFinal} />
      ) : (
        <Stack>
          <ProblemBox title={t('Not paid yet')} text={problem} />
          {isAuthenticated ? <SavedCards open={open} /> : <NewCard open={open} />}
        </Stack>
      )}
    </Card>
  );
}
