import { Elements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Order, StartedPayment } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { isAnswered } from '../attempts.ts';
import { cardAppearance } from './card-appearance.ts';
import { CardForm } from './card-form.tsx';
import styles from './card-payment.module.css';
import { endPayment, importProvider, startOrResume } from './card-provider.ts';
import type { SentPayment } from './payment-phase.ts';

export type CardPaymentProps = {
  order: Order;
  /** Why the try before this one failed. */
  failure: string | null;
  onSent: (sent: SentPayment) => void;
  /** Starting a payment, or being refused one, changes what the server knows of the order. */
  onOrderChanged: () => void;
};

export function CardPayment({ order, failure, onSent, onOrderChanged }: CardPaymentProps) {
  const tellOrderChanged = useEffectEvent(onOrderChanged);
  const provider = useQuery({
    queryKey: ['card-provider'],
    queryFn: importProvider,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });
  const payment = useQuery({
    queryKey: ['started-payment', order.id],
    queryFn: () => startOrResume(order.id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { data: started, error: refusal } = payment;
  useEffect(() => {
    if (started !== undefined || isAnswered(refusal)) tellOrderChanged();
  }, [started, refusal]);
  return (
    <Card title="Card">
      <Stack>
        {pageConfig().provider.is_test && <TestCardHint />}
        {provider.isError ? (
          <Notice
            type="alert"
            role="alert"
            title="The card form could not load"
            action={
              <Button isPending={provider.isFetching} onClick={() => void provider.refetch()}>
                Try again
              </Button>
            }
          >
            Nothing is lost and nothing was charged. A blocker in the browser may be in the way.
          </Notice>
        ) : payment.isError ? (
          <StartRefusal
            error={payment.error}
            isFetching={payment.isFetching}
            onRetry={() => void payment.refetch()}
          />
        ) : provider.data && payment.data ? (
          <MountedCardForm
            key={payment.data.clientSecret}
            stripe={provider.data}
            payment={payment.data}
            order={order}
            failure={failure}
            onSent={onSent}
            onDead={() => {
              endPayment(order.id);
              void payment.refetch();
            }}
          />
        ) : (
          <output>
            <span className="visually-hidden">Loading the card form…</span>
            <Skeleton height="3rem" lines={3} />
          </output>
        )}
      </Stack>
    </Card>
  );
}

type MountedCardFormProps = {
  stripe: Stripe;
  payment: StartedPayment;
  order: Order;
  failure: string | null;
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

function TestCardHint() {
  return (
    <Notice title="Test payments">
      No money moves. Pay with card <strong className={styles.number}>4242 4242 4242 4242</strong> and any
      later date and any code.
    </Notice>
  );
}
