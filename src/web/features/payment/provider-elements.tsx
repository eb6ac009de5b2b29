import { Elements, ExpressCheckoutElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { t } from '#web/language/texts.ts';
import type { Provider, ProviderAppearance, WalletPayment } from '#web/platform/card-provider/types.ts';
import { createHexReader } from '#web/platform/hex-reader.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import { CardFormSkeleton } from './card-provider.tsx';
import type { Payment } from './payment.ts';
import { isPaying } from './payment-machine.ts';
import styles from './provider-elements.module.css';
import { createProviderForm, type FormIntent } from './provider-form.ts';

type ProviderElementsProps<Input, Result> = {
  /** Null while the provider's script is loading. */
  stripe: Provider | null;
  payment: Payment<Input, Result>;
  intent: FormIntent;
  /** Null if wallets cannot be used. */
  wallets: Wallets<Input> | null;
  /** The other ways to pay. */
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

type Wallets<Input> = {
  input: Input;
  /** What pressing a wallet's button accepts. */
  terms?: ReactNode;
  /** Ways to pay below the wallets wait until these are decided, so that nothing moves under a finger. */
  placement: 'above' | 'below';
};

/** The longest that ways to pay below the wallets wait. */
const PATIENCE_MS = 4000;

type WalletButtonsProps<Input, Result> = Omit<ProviderElementsProps<Input, Result>, 'stripe' | 'wallets'> & {
  wallets: Wallets<Input>;
};

/** Shows no wallet buttons if the provider offers none. */
function WalletButtons<Input, Result>(props: WalletButtonsProps<Input, Result>) {
  const { payment, intent, wallets, children } = props;
  const { input, terms, placement } = wallets;
  const stripe = useStripe();
  const elements = useElements();
  const [offer, setOffer] = useState<'unknown' | 'wallets' | 'none'>('unknown');
  const options = useMemo(() => ({ ...walletAppearance(), ...OPTIONS }), []);
  const isWaiting = offer === 'unknown' && placement === 'above';
  // The first answer counts: buttons that come late would move the form.
  const decide = (hasWallets: boolean) =>
    setOffer((current) => (current === 'unknown' ? (hasWallets ? 'wallets' : 'none') : current));
  const giveUp = useEffectEvent(() => decide(false));
  useEffect(() => {
    if (placement === 'below') return;
    const timer = setTimeout(giveUp, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [placement]);

  function pay(wallet: WalletPayment) {
    if (!stripe || !elements) return wallet.paymentFailed();
    payment.dispatch({
      type: 'pay-by-form',
      input,
      form: createProviderForm(stripe, elements, intent, { wallet }),
    });
  }

  const divider = (
    <p className={styles.or}>{t(placement === 'above' ? 'Or pay by card' : 'Or pay with a wallet')}</p>
  );
  return (
    <div className={styles.place}>
      {isWaiting && <CardFormSkeleton />}
      <div className={isWaiting ? styles.waiting : undefined}>
        {placement === 'below' && children(offer === 'wallets')}
        <div className={offer === 'wallets' ? styles[placement] : styles.absent}>
          <Stack gap="sm">
            {placement === 'below' && divider}
            <ExpressCheckoutElement
              options={options}
              onReady={({ availablePaymentMethods }) => decide(availablePaymentMethods !== undefined)}
              onLoadError={() => decide(false)}
              onClick={(click) => (isPaying(payment.store.get()) ? click.reject() : click.resolve())}
              onConfirm={pay}
            />
            {offer === 'wallets' && terms}
            {placement === 'above' && divider}
          </Stack>
        </div>
        {placement === 'above' && children(offer === 'wallets')}
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

/** Our colors as plain values: the provider's frame does not know our custom properties. */
function cardAppearance(): ProviderAppearance {
  const color = colorReader();
  return {
    theme: isDark() ? 'night' : 'stripe',
    variables: {
      colorPrimary: color('--accent-ink'),
      colorBackground: color('--surface'),
      colorText: color('--ink'),
      colorTextSecondary: color('--muted'),
      colorTextPlaceholder: color('--muted'),
      colorDanger: color('--danger'),
      borderRadius: '12px',
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '17px',
      spacingUnit: '5px',
    },
    rules: {
      '.Input': { border: `1.5px solid ${color('--control-line')}`, boxShadow: 'none' },
      '.Input:focus': { outline: `3px solid ${color('--focus')}`, boxShadow: 'none' },
      '.Label': { fontWeight: '650' },
    },
  };
}

/** Wallet buttons have fixed colors; only light or dark can be chosen. */
function walletAppearance() {
  const theme = isDark() ? 'white' : 'black';
  return { buttonHeight: 52, buttonTheme: { applePay: theme, googlePay: theme } } as const;
}

function isDark(): boolean {
  return window.matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Reads custom properties as hexadecimal colors. */
function colorReader(): (property: string) => string {
  const probe = document.createElement('span');
  const toHex = createHexReader();
  return (property) => {
    probe.style.color = `var(${property})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return toHex(color);
  };
}
