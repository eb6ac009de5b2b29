import { type ReactNode, useEffect, useRef } from 'react';
import { message } from '#messages/translate.ts';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { PaymentCheck } from '#web/features/payment/payment-check.tsx';
import { t } from '#web/language/texts.ts';
import type { TopUp } from '#web/platform/api/types.ts';
import { useStore } from '#web/platform/create-store.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { NewCard } from './new-card.tsx';
import type { PendingTopUp, TopUpPayment } from './top-up-payment.ts';

type TopUpStepsProps = {
  payment: TopUpPayment;
  currency: string;
  /** The title while the customer chooses. */
  title: string;
  /** @param failure why the previous payment failed */
  choose: (failure: string | null) => ReactNode;
  paid: (topUp: TopUp) => ReactNode;
  /** What happens if the page is closed while the outcome is not known. */
  ifClosed: ReactNode;
};

/** Choosing, paying and the outcome. Not in a dialog: the bank's page opens above it. A reload returns to the step. */
export function TopUpSteps({ payment, currency, title, choose, paid, ifClosed }: TopUpStepsProps) {
  const state = usePaymentState(payment);
  const pending = useStore(payment.pending);
  const step = getStep(state, pending);
  const heading = useFocusOnChange(step);
  useBusyWhile(pending !== null, 'payment open');
  return (
    <Card
      title={
        <span ref={heading} tabIndex={-1}>
          {step === 'choose' ? title : t(TITLES[step])}
        </span>
      }
    >
      {state.name === 'paid' ? (
        paid(state.result)
      ) : pending === null ? (
        choose(state.problem)
      ) : step === 'check' ? (
        <PaymentCheck payment={payment}>{ifClosed}</PaymentCheck>
      ) : (
        <NewCard payment={payment} pending={pending} currency={currency} />
      )}
    </Card>
  );
}

type Step = 'choose' | keyof typeof TITLES;

function getStep({ name }: { name: string }, pending: PendingTopUp | null): Step {
  if (name === 'paid') return 'paid';
  if (pending === null) return 'choose';
  const isCharged = pending.paymentCardId !== null || name === 'unknown' || name === 'bank';
  return isCharged ? 'check' : 'card';
}

const TITLES = {
  card: message('Pay with a new card'),
  check: message('Your payment'),
  paid: message('Paid'),
};

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
