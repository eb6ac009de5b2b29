import { Elements } from '@stripe/react-stripe-js';
import { type ReactNode, useMemo } from 'react';
import type { Provider } from '#web/platform/card-provider/types.ts';
import { cardAppearance } from './card-appearance.ts';
import type { Payment } from './payment.ts';
import type { FormIntent } from './provider-form.ts';
import { WalletButtons, type Wallets } from './wallet-buttons.tsx';

export type ProviderElementsProps<Input, Result> = {
  /** Null while the provider's script is loading: its fields stay empty. */
  stripe: Provider | null;
  payment: Payment<Input, Result>;
  intent: FormIntent;
  /** Null if wallets cannot be used. */
  wallets: Wallets<Input> | null;
  children: (hasWallets: boolean) => ReactNode;
};

/** The provider's wallet buttons and its card form. Another payment gets another form. */
export function ProviderElements<Input, Result>(props: ProviderElementsProps<Input, Result>) {
  const { stripe, payment, intent, wallets, children } = props;
  const clientSecret = intent.mode === 'payment' ? intent.clientSecret : null;
  const options = useMemo(() => {
    const appearance = cardAppearance();
    return clientSecret === null
      ? { mode: 'setup' as const, allowedPaymentMethodTypes: ['card'], appearance }
      : { clientSecret, appearance };
  }, [clientSecret]);
  return (
    <Elements key={clientSecret} stripe={stripe} options={options}>
      {wallets ? (
        <WalletButtons payment={payment} intent={intent} wallets={wallets}>
          {children}
        </WalletButtons>
      ) : (
        children(false)
      )}
    </Elements>
  );
}
