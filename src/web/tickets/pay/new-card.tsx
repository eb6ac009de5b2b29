import { type ReactNode, useState } from 'react';
import { CardForm } from '#web/features/payment/card-form.tsx';
import { CardFormSkeleton, CardProvider } from '#web/features/payment/card-provider.tsx';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { ProviderElements } from '#web/features/payment/provider-elements.tsx';
import type { FormIntent } from '#web/features/payment/provider-form.ts';
import { TermsSentence } from '#web/features/site/terms.tsx';
import type { StartedPayment } from '#web/platform/api/types.ts';
import type { Provider } from '#web/platform/card-provider/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { confirmationPath } from '../steps.ts';
import type { OrderPayment } from './order-payment.ts';
import { PayBar } from './pay-bar.tsx';
import type { TripCardPart } from './trip-card-part.ts';

/** A started payment by card. */
export type OpenPayment = {
  payment: OrderPayment;
  part: TripCardPart;
  started: StartedPayment;
  /** A customer is signed in. */
  canSave: boolean;
};

export function NewCard({ open }: { open: OpenPayment | undefined }) {
  return (
    <CardProvider>
      {(stripe) =>
        open ? (
          <WithWallets stripe={stripe} open={open} placement="above">
            {(hasWallets) => <NewCardForm open={open} showsTerms={!hasWallets} />}
          </WithWallets>
        ) : (
          <CardFormSkeleton />
        )
      }
    </CardProvider>
  );
}

export function NewCardForm({ open, showsTerms }: { open: OpenPayment; showsTerms: boolean }) {
  const { payment, part, started, canSave } = open;
  const { isPaying } = usePaymentState(payment);
  const [saveCard, setSaveCard] = useState(false);
  return (
    <CardForm
      payment={payment}
      intent={toIntent(open)}
      input={{ method: 'new-card', saveCard, part }}
      saveCard={saveCard}
      button={
        <PayBar icon="card" isPaying={isPaying} showsTerms={showsTerms}>
          Pay {formatMoney(started.amount, started.currency)}
        </PayBar>
      }
    >
      {canSave && (
        <Checkbox
          label="Save this card for next time"
          description="You can delete it at any time under Payment Methods in your account."
          checked={saveCard}
          onChange={(event) => setSaveCard(event.target.checked)}
        />
      )}
    </CardForm>
  );
}

type WithWalletsProps = {
  stripe: Provider | null;
  open: OpenPayment;
  placement: 'above' | 'below';
  children: (hasWallets: boolean) => ReactNode;
};

export function WithWallets({ stripe, open, placement, children }: WithWalletsProps) {
  const { payment, part } = open;
  // A card in a wallet stays in the wallet.
  const input = { method: 'new-card', saveCard: false, part } as const;
  // Below saved cards, the sentence is beside their button.
  const terms = placement === 'above' && <TermsSentence action="paying" />;
  const wallets = { input, placement, terms };
  return (
    <ProviderElements stripe={stripe} payment={payment} intent={toIntent(open)} wallets={wallets}>
      {children}
    </ProviderElements>
  );
}

function toIntent({ payment, started: { clientSecret } }: OpenPayment): FormIntent {
  const returnUrl = window.location.origin + confirmationPath(payment.orderId);
  return { mode: 'payment', clientSecret, returnUrl };
}
