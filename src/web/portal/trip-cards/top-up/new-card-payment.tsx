import { Elements } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useMemo } from 'react';
import { cardAppearance } from '#web/parts/card-form/card-appearance.ts';
import { CardFormSkeleton, CardProvider } from '#web/parts/card-form/card-provider.tsx';
import { errorText } from '#web/platform/api/api-error.ts';
import type { Provider } from '#web/platform/card-provider/types.ts';
import { Button } from '#web/ui/button.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Cluster, Stack } from '#web/ui/stack.tsx';
import { isAnswered } from '../use-card-action.ts';
import { sendTopUp } from './find-outcome.ts';
import { NewCardForm } from './new-card-form.tsx';
import { keepPendingTopUp, type PendingTopUp } from './pending-top-up.ts';

export type NewCardPaymentProps = {
  pending: PendingTopUp;
  currency: string;
  /** Why the try before this one failed. */
  failure: string | null;
  onSent: (topUpId: string) => void;
  /** Nothing was charged, and another try is another payment. */
  onOver: (text: string) => void;
  onGiveUp: () => void;
};

/** The provider's card form for a top-up that was asked for; the card itself never comes by us. */
export function NewCardPayment({
  pending,
  currency,
  failure,
  onSent,
  onOver,
  onGiveUp,
}: NewCardPaymentProps) {
  const started = useQuery({
    queryKey: ['started-top-up', pending.key],
    queryFn: () => sendTopUp(pending),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { data: topUp } = started;
  const secret = topUp?.clientSecret ?? null;
  // Settled since, in another tab for instance: only the server knows how.
  const settledId = topUp !== undefined && secret === null ? topUp.id : null;
  const tellSettled = useEffectEvent(onSent);
  useEffect(() => {
    if (settledId !== null) tellSettled(settledId);
  }, [settledId]);
  return (
    <Stack>
      <p>
        {formatMoney(pending.amount, currency)} for your trip card.{' '}
        <Button variant="quiet" size="small" onClick={onGiveUp}>
          Change
        </Button>
      </p>
      {started.isError ? (
        <Notice
          type="alert"
          role="alert"
          title="The payment could not be started"
          action={
            <Cluster>
              {!isAnswered(started.error) && (
                <Button isPending={started.isFetching} onClick={() => void started.refetch()}>
                  Try again
                </Button>
              )}
              <Button variant="secondary" onClick={onGiveUp}>
                Back
              </Button>
            </Cluster>
          }
        >
          {errorText(started.error)} Nothing was charged.
        </Notice>
      ) : (
        <CardProvider>
          {(stripe) =>
            topUp !== undefined && secret !== null ? (
              <Mounted stripe={stripe} secret={secret}>
                <NewCardForm
                  clientSecret={secret}
                  pay={`Pay ${formatMoney(topUp.amount, topUp.currency)}`}
                  offersWallets={!pending.saveCard}
                  failure={failure}
                  onLeave={() => keepPendingTopUp({ ...pending, topUpId: topUp.id, isSent: true })}
                  onBack={() => keepPendingTopUp({ ...pending, topUpId: topUp.id, isSent: false })}
                  onSent={() => onSent(topUp.id)}
                  onDead={() =>
                    onOver('This payment has expired. You have not been charged. Please start again.')
                  }
                />
              </Mounted>
            ) : (
              <CardFormSkeleton />
            )
          }
        </CardProvider>
      )}
    </Stack>
  );
}

type MountedProps = { stripe: Provider; secret: string; children: ReactNode };

function Mounted({ stripe, secret, children }: MountedProps) {
  const options = useMemo(() => ({ clientSecret: secret, appearance: cardAppearance() }), [secret]);
  return (
    <Elements stripe={stripe} options={options}>
      {children}
    </Elements>
  );
}
