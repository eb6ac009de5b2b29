import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { CardFormSkeleton } from '#web/parts/card-form/card-provider.tsx';
import type { TopUp, TripCard } from '#web/platform/api/types.ts';
import { lazyPart } from '#web/platform/updates/missing-part.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { refreshTripCards } from '../queries.ts';
import { cardTitle } from '../words.ts';
import {
  findPendingTopUp,
  forgetPendingTopUp,
  keepPendingTopUp,
  type PendingTopUp,
} from './pending-top-up.ts';
import { TopUpCheck } from './top-up-check.tsx';
import { TopUpForm } from './top-up-form.tsx';

const NewCardPayment = lazyPart(() =>
  import('./new-card-payment.tsx').then((module) => module.NewCardPayment),
);

export type TopUpFlowProps = {
  card: TripCard;
  /** One to begin with that was asked for elsewhere on the screen. */
  wish: PendingTopUp | null;
  /** One was paid with a new card that is to be saved, which happens a moment later. */
  onSavedCard: () => void;
};

/** Not in a dialog: the bank's own page has to come above it. A reload in the middle comes back to where it stood. */
export function TopUpFlow({ card, wish, onSavedCard }: TopUpFlowProps) {
  const client = useQueryClient();
  const [pending, setPending] = useState(() => wish ?? findPendingTopUp(card.id));
  const [isReturn, setIsReturn] = useState(wish === null && pending !== null);
  const [failure, setFailure] = useState<string | null>(null);
  const [paid, setPaid] = useState<TopUp | null>(null);
  const step = paid ? 'paid' : pending === null ? 'choose' : pending.isSent ? 'check' : 'card';
  const heading = useFocusOnChange(step, wish !== null);
  useBusyWhile(pending !== null, 'payment open');

  function keep(next: PendingTopUp) {
    keepPendingTopUp(next);
    setIsReturn(false);
    setFailure(null);
    setPending(next);
  }

  function end(text: string | null) {
    forgetPendingTopUp();
    setPending(null);
    setFailure(text);
    refreshTripCards(client);
  }

  function refused(text: string, isOver: boolean) {
    const now = findPendingTopUp(card.id) ?? pending;
    if (isOver || now === null) return end(text);
    keep({ ...now, isSent: false });
    setFailure(text);
    refreshTripCards(client);
  }

  return (
    <Card
      title={
        <span ref={heading} tabIndex={-1}>
          {TITLES[step]}
        </span>
      }
    >
      {paid ? (
        <Paid topUp={paid} card={card} onAgain={() => setPaid(null)} />
      ) : pending === null ? (
        <TopUpForm card={card} failure={failure} onStart={keep} />
      ) : pending.isSent ? (
        <TopUpCheck
          pending={pending}
          isRepeated={isReturn}
          onPaid={(topUp) => {
            end(null);
            setPaid(topUp);
            if (pending.saveCard) onSavedCard();
          }}
          onUnpaid={refused}
          onGiveUp={() => end(null)}
        />
      ) : (
        <Suspense fallback={<CardFormSkeleton />}>
          <NewCardPayment
            pending={pending}
            currency={card.currency}
            failure={failure}
            onSent={(topUpId) => keep({ ...pending, topUpId, isSent: true })}
            onOver={end}
            onGiveUp={() => end(null)}
          />
        </Suspense>
      )}
    </Card>
  );
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

function useFocusOnChange(step: string, fromStart: boolean) {
  const heading = useRef<HTMLSpanElement>(null);
  const last = useRef(fromStart ? null : step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    heading.current?.focus();
  }, [step]);
  return heading;
}
