import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { CardForm } from '#web/features/payment/card-form.tsx';
import { CardFormSkeleton, CardProvider } from '#web/features/payment/card-provider.tsx';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { ProviderElements } from '#web/features/payment/provider-elements.tsx';
import { StartFailure } from '#web/features/payment/start-failure.tsx';
import { t } from '#web/language/texts.ts';
import type { Provider } from '#web/platform/card-provider/types.ts';
import { isOutcomeKnown } from '#web/platform/idempotency/idempotent-writes.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { PendingTopUp, TopUpPayment } from './top-up-payment.ts';

type NewCardProps = { payment: TopUpPayment; pending: PendingTopUp; currency: string };

/** Pays a top-up with a new card or a wallet. */
export function NewCard({ payment, pending, currency }: NewCardProps) {
  const { isPaying, problem } = usePaymentState(payment);
  const start = useQuery({
    queryKey: ['started-top-up', useId()],
    queryFn: payment.start,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const clientSecret = start.data?.clientSecret;
  const amount = formatMoney(pending.amount, currency);
  const giveUp = () => payment.dispatch({ type: 'give-up' });

  function enterCard(stripe: Provider) {
    if (!clientSecret) return <CardFormSkeleton />;
    const returnUrl = window.location.origin + window.location.pathname;
    const intent = { mode: 'payment', clientSecret, returnUrl } as const;
    return (
      <ProviderElements
        stripe={stripe}
        payment={payment}
        intent={intent}
        // A card in a wallet cannot be saved.
        wallets={pending.saveCard ? null : { input: pending, placement: 'above' }}
      >
        {() => (
          <CardForm
            payment={payment}
            intent={intent}
            input={pending}
            button={
              <Button
                type="submit"
                size="large"
                block
                icon="card"
                needsConnection
                isPending={isPaying}
                pendingText={t('Paying…')}
              >
                {t('Pay {amount}', { amount })}
              </Button>
            }
          />
        )}
      </ProviderElements>
    );
  }

  return (
    <Stack>
      <p>
        {t(pending.passCode === null ? '{amount} for your trip card.' : '{amount} for your pass.', {
          amount,
        })}{' '}
        <Button variant="quiet" size="small" onClick={giveUp}>
          {t('Change')}
        </Button>
      </p>
      {start.isError ? (
        <StartFailure
          start={start}
          canRetry={!isOutcomeKnown(start.error)}
          action={
            <Button variant="secondary" onClick={giveUp}>
              {t('Back')}
            </Button>
          }
        >
          {t('Nothing was charged.')}
        </StartFailure>
      ) : (
        <>
          <ProblemBox title={t('Not paid yet')} text={problem} />
          <CardProvider>{enterCard}</CardProvider>
        </>
      )}
    </Stack>
  );
}
