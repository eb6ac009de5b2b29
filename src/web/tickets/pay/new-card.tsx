import { type FormEvent, type ReactNode, useState } from 'react';
import { CardForm } from '#web/features/payment/card-form.tsx';
import { CardFormSkeleton, CardProvider } from '#web/features/payment/card-provider.tsx';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { ProviderElements } from '#web/features/payment/provider-elements.tsx';
import type { FormIntent } from '#web/features/payment/provider-form.ts';
import { TermsSentence } from '#web/features/site/terms.tsx';
import { t } from '#web/language/texts.ts';
import type { StartedPayment } from '#web/platform/api/types.ts';
import type { Provider } from '#web/platform/card-provider/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import type { IconName } from '#web/ui/icon.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { StickyBar } from '#web/ui/layout/sticky-bar.tsx';
import type { TripCardPart } from '../purchase.ts';
import { confirmationPath } from '../steps.ts';
import type { OrderPayment, OrderPaymentInput } from './order-payment.ts';

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
          {t('Pay {amount}', { amount: formatMoney(started.amount, started.currency) })}
        </PayBar>
      }
    >
      {canSave && (
        <Checkbox
          label={t('Save this card for next time')}
          description={t('You can delete it at any time under Payment Methods in your account.')}
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

type PayBarProps = {
  icon: IconName;
  isPaying: boolean;
  /** False if the terms are already shown beside another pay button. */
  showsTerms?: boolean;
  children: ReactNode;
};

/** The pay button, with the terms that pressing it accepts. */
export function PayBar({ icon, isPaying, showsTerms = true, children }: PayBarProps) {
  return (
    <StickyBar>
      <Stack gap="sm">
        {showsTerms && <TermsSentence action="paying" />}
        <Button type="submit" size="large" block icon={icon} isPending={isPaying} pendingText={t('Paying…')}>
          {children}
        </Button>
      </Stack>
    </StickyBar>
  );
}

type ChargeFormProps = Omit<PayBarProps, 'isPaying'> & { payment: OrderPayment; input: OrderPaymentInput };

/** Pays with a saved card or a trip card, so there is nothing to enter. */
export function ChargeForm({ payment, input, ...bar }: ChargeFormProps) {
  const { isPaying } = usePaymentState(payment);

  function pay(event: FormEvent) {
    event.preventDefault();
    payment.dispatch({ type: 'charge', input });
  }

  return (
    <form onSubmit={pay} noValidate>
      <PayBar isPaying={isPaying} {...bar} />
    </form>
  );
}
