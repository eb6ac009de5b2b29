import { Elements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useMemo } from 'react';
import { cardAppearance } from '#web/parts/card-form/card-appearance.ts';
import { CardFormSkeleton, CardProvider } from '#web/parts/card-form/card-provider.tsx';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Order, StartedPayment } from '#web/platform/api/types.ts';
import { useSession } from '#web/platform/session/session.ts';
import { lazyPart } from '#web/platform/updates/missing-part.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { isAnswered } from '../attempts.ts';
import { CardForm } from './card-form.tsx';
import { endPayment, startOrResume } from './card-provider.ts';
import type { SentPayment } from './payment-phase.ts';
import type { TripCardPart } from './trip-card-part.ts';

/** Only customers have saved cards and trip cards; visitors load nothing of them. */
const SavedCards = lazyPart(() => import('./saved-cards.tsx').then((module) => module.SavedCards));

const TripCardFirst = lazyPart(() => import('./trip-card-first.tsx').then((module) => module.TripCardFirst));

export type CardPaymentProps = {
  order: Order;
  /** Why the try before this one failed. */
  failure: string | null;
  onSent: (sent: SentPayment) => void;
  /** Starting a payment, or being refused one, changes what the server knows of the order. */
  onOrderChanged: () => void;
};

/** By card, and for customers with a trip card by that, or by both. */
export function CardPayment(props: CardPaymentProps) {
  const { isAuthenticated } = useSession();
  if (!isAuthenticated) return <PayByCard {...props} part={null} />;
  return (
    <Suspense fallback={<CardFormSkeleton />}>
      <TripCardFirst
        order={props.order}
        failure={props.failure}
        onSent={props.onSent}
        onOrderChanged={props.onOrderChanged}
        payByCard={(part) => <PayByCard key={part?.tripCardId ?? ''} {...props} part={part} />}
      />
    </Suspense>
  );
}

type PayByCardProps = CardPaymentProps & { part: TripCardPart };

function PayByCard({ order, failure, part, onSent, onOrderChanged }: PayByCardProps) {
  const { isAuthenticated } = useSession();
  const tellOrderChanged = useEffectEvent(onOrderChanged);
  const payment = useQuery({
    queryKey: ['started-payment', order.id, part],
    queryFn: () => startOrResume(order.id, part),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { data: started, error: refusal } = payment;
  useEffect(() => {
    if (started !== undefined || isAnswered(refusal)) tellOrderChanged();
  }, [started, refusal]);
  function enterCard(failed: string | null): ReactNode {
    return (
      <CardProvider>
        {(stripe) =>
          started ? (
            <MountedCardForm
              key={started.clientSecret}
              stripe={stripe}
              payment={started}
              order={order}
              part={part}
              failure={failed}
              canSave={isAuthenticated}
              onSent={onSent}
              onDead={() => {
                endPayment(order.id, part);
                void payment.refetch();
              }}
            />
          ) : (
            <CardFormSkeleton />
          )
        }
      </CardProvider>
    );
  }
  return (
    <Card title={part ? 'Payment card for the rest' : 'Card'}>
      {payment.isError ? (
        <StartRefusal
          error={payment.error}
          isFetching={payment.isFetching}
          onRetry={() => void payment.refetch()}
        />
      ) : isAuthenticated ? (
        <Suspense fallback={<CardFormSkeleton />}>
          <SavedCards order={order} part={part} failure={failure} onSent={onSent} enterCard={enterCard} />
        </Suspense>
      ) : (
        enterCard(failure)
      )}
    </Card>
  );
}

type MountedCardFormProps = {
  stripe: Stripe;
  payment: StartedPayment;
  order: Order;
  part: TripCardPart;
  failure: string | null;
  canSave: boolean;
  onSent: (sent: SentPayment) => void;
  onDead: () => void;
};

function MountedCardForm({ stripe, payment, ...rest }: MountedCardFormProps) {
  const { clientSecret } = payment;
  const options = useMemo(() => ({ clientSecret, appearance: cardAppearance() }), [clientSecret]);
  return (
    <Elements stripe={stripe} options={options}>
      <CardForm payment={payment} {...rest} />
    </Elements>
  );
}

function StartRefusal(props: { error: unknown; isFetching: boolean; onRetry: () => void }) {
  const { error, isFetching, onRetry } = props;
  const isFinal = hasErrorCode(error, 'order_blocked') || hasErrorCode(error, 'order_closed');
  return (
    <Notice
      type="alert"
      role="alert"
      title="The payment could not be started"
      action={
        !isFinal && (
          <Button isPending={isFetching} onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {errorText(error)}
    </Notice>
  );
}
