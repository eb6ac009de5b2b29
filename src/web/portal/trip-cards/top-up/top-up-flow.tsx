import { Suspense, useEffect, useRef } from 'react';
import { CardFormSkeleton } from '#web/features/payment/card-provider.tsx';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { PaymentCheck } from '#web/features/payment/payment-check.tsx';
import { Questions } from '#web/features/site/contact-ways.tsx';
import type { TopUp, TripCard } from '#web/platform/api/types.ts';
import { useStore } from '#web/platform/create-store.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { cardTitle } from '../labels.ts';
import type { PendingTopUp } from './pending-top-up.ts';
import { TopUpForm } from './top-up-form.tsx';
import type { TopUpPayment } from './top-up-payment.ts';

const NewCard = lazyComponent(() => import('./new-card.tsx').then((module) => module.NewCard));

type TopUpFlowProps = { card: TripCard; payment: TopUpPayment };

/** Not in a dialog, because the bank's page opens above it. A reload returns to the same step. */
export function TopUpFlow({ card, payment }: TopUpFlowProps) {
  const state = usePaymentState(payment);
  const pending = useStore(payment.pending);
  const step = stepOf(state, pending);
  const heading = useFocusOnChange(step);
  useBusyWhile(pending !== null, 'payment open');
  return (
    <Card
      title={
        <span ref={heading} tabIndex={-1}>
          {TITLES[step]}
        </span>
      }
    >
      {state.name === 'paid' ? (
        <Paid topUp={state.result} card={card} onAgain={() => payment.dispatch({ type: 'start-over' })} />
      ) : pending === null ? (
        <TopUpForm card={card} failure={state.problem} onStart={payment.begin} />
      ) : step === 'check' ? (
        <PaymentCheck payment={payment}>
          You can close this page. If the payment goes through, the money will be on your trip card. If it
          fails, you are not charged. <Questions />
        </PaymentCheck>
      ) : (
        <Suspense fallback={<CardFormSkeleton />}>
          <NewCard payment={payment} pending={pending} currency={card.currency} />
        </Suspense>
      )}
    </Card>
  );
}

function stepOf({ name }: { name: string }, pending: PendingTopUp | null): keyof typeof TITLES {
  if (name === 'paid') return 'paid';
  if (pending === null) return 'choose';
  const isCharged = pending.paymentCardId !== null || name === 'unknown' || name === 'bank';
  return isCharged ? 'check' : 'card';
}

const TITLES = {
  choose: 'Top up',
  card: 'Pay with a new card',
  check: 'Your payment',
  paid: 'Paid',
} as const;

type PaidProps = { topUp: TopUp; card: TripCard; onAgain: () => void };

function Paid({ topUp, card, onAgain }: PaidProps) {
  return (
    <Notice
      type="success"
      role="status"
      title={`${formatMoney(topUp.amount, topUp.currency)} is on ${cardTitle(card)}`}
      action={
        <Button variant="secondary" onClick={onAgain}>
          Top up again
        </Button>
      }
    >
      You can pay with it now. {topUp.receiptNumber !== null && `Your receipt is ${topUp.receiptNumber}.`}
    </Notice>
  );
}

function useFocusOnChange(step: string) {
  const heading = useRef<HTMLSpanElement>(null);
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    heading.current?.focus();
  }, [step]);
  return heading;
}
