import { ExpressCheckoutElement } from '@stripe/react-stripe-js';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { WalletClick, WalletPayment } from '#web/platform/card-provider/types.ts';
import { Stack } from '#web/ui/stack.tsx';
import { TermsSentence } from '../terms-sentence.tsx';
import { walletAppearance } from './card-appearance.ts';
import { CardFormSkeleton } from './card-provider.tsx';
import styles from './wallets-first.module.css';

export type WalletsFirstProps = {
  isPaying: boolean;
  /** The buyer agreed to pay in the wallet. */
  onPay: (payment: WalletPayment) => void;
  /** Wallets accept the terms as the button that pays does. */
  acceptsTerms?: boolean;
  /** The card form. */
  children: ReactNode;
};

/** Milliseconds after which the card form no longer waits for the wallets. */
const PATIENCE_MS = 4000;

/**
 * The provider's wallet buttons above a card form, which appear together, so that nothing moves under a finger.
 * Where the provider offers no wallet, there is only the card form.
 */
export function WalletsFirst({ isPaying, onPay, acceptsTerms = false, children }: WalletsFirstProps) {
  const [offer, setOffer] = useState<'unknown' | 'wallets' | 'none'>('unknown');
  const options = useMemo(() => ({ ...walletAppearance(), ...OPTIONS }), []);
  const isWaiting = offer === 'unknown';
  // The first answer counts: buttons that come late would move the form.
  const decide = (hasWallets: boolean) =>
    setOffer((known) => (known === 'unknown' ? (hasWallets ? 'wallets' : 'none') : known));
  const giveUp = useEffectEvent(() => decide(false));
  useEffect(() => {
    const timer = setTimeout(giveUp, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);

  function open(event: WalletClick) {
    if (isPaying) event.reject();
    else event.resolve();
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
              onClick={open}
              onConfirm={onPay}
            />
            {offer === 'wallets' && (
              <>
                {acceptsTerms && <TermsSentence action="paying" />}
                <p className={styles.or}>Or pay by card</p>
              </>
            )}
          </Stack>
        </div>
        {children}
      </div>
    </div>
  );
}

/** The card form below leaves the wallets to the buttons above it. */
export const CARD_ONLY = { layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never' } } as const;

const OPTIONS = {
  // The order has the contact already, and nothing is shipped.
  emailRequired: false,
  phoneNumberRequired: false,
  shippingAddressRequired: false,
  layout: { maxColumns: 1, maxRows: 2, overflow: 'auto' },
} as const;
