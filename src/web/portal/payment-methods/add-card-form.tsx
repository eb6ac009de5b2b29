import { useState } from 'react';
import { portalPages } from '#contract/paths.ts';
import { CardForm } from '#web/features/payment/card-form.tsx';
import { type Payment, usePaymentState } from '#web/features/payment/payment.ts';
import { ProviderElements } from '#web/features/payment/provider-elements.tsx';
import { t } from '#web/language/texts.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';
import type { Provider } from '#web/platform/card-provider/types.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';

export type CardSetupInput = { primary: boolean };

export type CardSetup = Payment<CardSetupInput, PaymentCard>;

type AddCardFormProps = {
  stripe: Provider;
  setup: CardSetup;
  hasPrimary: boolean;
  onCancel: () => void;
};

export function AddCardForm({ stripe, setup, hasPrimary, onCancel }: AddCardFormProps) {
  const { isPaying: isSaving } = usePaymentState(setup);
  const [primary, setPrimary] = useState(false);
  const intent = { mode: 'setup', returnUrl: window.location.origin + portalPages.paymentMethods } as const;
  return (
    <ProviderElements stripe={stripe} payment={setup} intent={intent} wallets={null}>
      {() => (
        <CardForm
          payment={setup}
          intent={intent}
          input={{ primary }}
          button={
            <Cluster>
              <Button type="submit" icon="card" isPending={isSaving} pendingText={t('Adding…')}>
                {t('Add this card')}
              </Button>
              <Button variant="secondary" aria-disabled={isSaving} onClick={onCancel}>
                {t('Cancel')}
              </Button>
            </Cluster>
          }
        >
          {hasPrimary && (
            <Checkbox
              label={t('Make this my primary card')}
              checked={primary}
              onChange={(event) => setPrimary(event.target.checked)}
            />
          )}
          <p>
            {t(
              'Your card goes straight to our card provider, never to us. You agree that we may charge it for what you buy with it. Adding it costs nothing.',
            )}
          </p>
        </CardForm>
      )}
    </ProviderElements>
  );
}
