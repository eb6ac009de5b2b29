import { ExpressCheckoutElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { WalletPayment } from '#web/platform/card-provider/types.ts';
import { Stack } from '#web/ui/stack.tsx';
import { walletAppearance } from './card-appearance.ts';
import { CardFormSkeleton } from './card-provider.tsx';
import type { Payment } from './payment.ts';
import { isPaying } from './payment-machine.ts';
import { createProviderForm, type FormIntent } from './provider-form.ts';
import styles from './wallets-first.module.css';

export type Wallets<Input> = {
  input: Input;
  /** What pressing a wallet's button accepts. */
  terms?: ReactNode;
  /** Milliseconds after which the other ways to pay no longer wait for the wallets. */
  patience?: number;
};

type WalletsFirstProps<Input, Result> = {
  payment: Payment<Input, Result>;
  intent: FormIntent;
  wallets: Wallets<Input>;
  /** The other ways to pay. */
  children: (hasWallets: boolean) => ReactNode;
};

/**
 * The provider's wallet buttons above the other ways to pay, which appear together, so that nothing moves under a
 * finger. Where the provider offers no wallet, there are only the other ways.
 */
export function WalletsFirst<Input, Result>(props: WalletsFirstProps<Input, Result>) {
  const { payment, intent, wallets, children } = props;
  const { input, terms, patience = 4000 } = wallets;
  const stripe = useStripe();
  const elements = useElements();
  const [offer, setOffer] = useState<'unknown' | 'wallets' | 'none'>('unknown');
  const options = useMemo(() => ({ ...walletAppearance(), ...OPTIONS }), []);
  const isWaiting = offer === 'unknown';
  // The first answer counts: buttons that come late would move the form.
  const decide = (hasWallets: boolean) =>
    setOffer((known) => (known === 'unknown' ? (hasWallets ? 'wallets' : 'none') : known));
  const giveUp = useEffectEvent(() => decide(false));
  useEffect(() => {
    const timer = setTimeout(giveUp, patience);
    return () => clearTimeout(timer);
  }, [patience]);

  function pay(wallet: WalletPayment) {
    if (!stripe || !elements) return wallet.paymentFailed();
    payment.tell({
      type: 'pay-by-form',
      input,
      form: createProviderForm(stripe, elements, intent, { wallet }),
    });
  }

  return (
    <div className={styles.place}>
      {isWaiting && <CardFormSkeleton />}
      <div className={isWaiting ? styles.waiting : undefined}>
        <div className={offer === 'wallets' ? styles.wallets : styles.absent}>
          <Stack gap="sm">
            <ExpressCheckoutElement
              options={options}
              onReady={({ availablePaymentMethods }) => decide(availablePaymentMethods !== undefined)}
              onLoadError={() => decide(false)}
              onClick={(click) => (isPaying(payment.store.get()) ? click.reject() : click.resolve())}
              onConfirm={pay}
            />
            {offer === 'wallets' && (
              <>
                {terms}
                <p className={styles.or}>Or pay by card</p>
              </>
            )}
          </Stack>
        </div>
        {children(offer === 'wallets')}
      </div>
    </div>
  );
}

const OPTIONS = {
  // The order has the contact already, and nothing is shipped.
  emailRequired: false,
  phoneNumberRequired: false,
  shippingAddressRequired: false,
  layout: { maxColumns: 1, maxRows: 2, overflow: 'auto' },
} as const;
