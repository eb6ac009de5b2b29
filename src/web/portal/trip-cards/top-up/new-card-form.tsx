import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { StripeError } from '@stripe/stripe-js';
import { type FormEvent, useRef, useState } from 'react';
import { ProblemBox } from '#web/parts/card-form/problem-box.tsx';
import { askIntent } from '#web/parts/card-form/provider-word.ts';
import { isRefusal, refusalText } from '#web/parts/card-form/refusal.ts';
import { CARD_ONLY, WalletsFirst } from '#web/parts/card-form/wallets-first.tsx';
import type { WalletPayment } from '#web/platform/card-provider/types.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { Button } from '#web/ui/button.tsx';
import { Stack } from '#web/ui/stack.tsx';

export type NewCardFormProps = {
  clientSecret: string;
  /** What the button says. */
  pay: string;
  /** Not where the card is to be saved: what is in a wallet stays there. */
  offersWallets: boolean;
  /** Why the try before this one failed. */
  failure: string | null;
  /** From here to what follows the outcome is open, whatever happens to this page. */
  onLeave: () => void;
  /** Refused at once: the same payment can be tried again here. */
  onBack: () => void;
  onSent: () => void;
  /** This payment can no longer be confirmed. */
  onDead: () => void;
};

export function NewCardForm(props: NewCardFormProps) {
  const { clientSecret, pay, offersWallets, failure, onLeave, onBack, onSent, onDead } = props;
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setIsReady] = useState(false);
  const [isPaying, setIsPaying] = useState(false);
  useBusyWhile(isPaying, 'payment on its way', 'hard');
  const [problem, setProblem] = useState(failure);

  /** The payment under way, if it is by wallet. */
  const wallet = useRef<WalletPayment | null>(null);

  function payByCard(event: FormEvent) {
    event.preventDefault();
    if (isPaying) return;
    if (!isReady) return setProblem('The card form is still loading. One moment, please.');
    void submit();
  }

  function payByWallet(payment: WalletPayment) {
    if (isPaying) return payment.paymentFailed();
    wallet.current = payment;
    void submit();
  }

  async function submit() {
    if (!stripe || !elements) return;
    setProblem(null);
    setIsPaying(true);
    const { error: incomplete } = await elements.submit();
    if (incomplete) return refuse(incomplete);
    onLeave();
    try {
      const { error } = await stripe.confirmPayment({
        elements,
        redirect: 'if_required',
        confirmParams: { return_url: window.location.origin + window.location.pathname },
      });
      if (error === undefined) onSent();
      else if (isRefusal(error)) refuse(error);
      else if (error.type !== 'invalid_request_error') onSent();
      // It was settled elsewhere, in another tab for instance: paid or over, but not by this press.
      else if ((await askIntent(stripe, clientSecret)) === 'failed') onDead();
      else onSent();
    } catch {
      onSent();
    }
  }

  function refuse(error: StripeError) {
    wallet.current?.paymentFailed();
    wallet.current = null;
    onBack();
    setIsPaying(false);
    setProblem(refusalText(error));
  }

  const cardFields = (
    <PaymentElement
      options={CARD_ONLY}
      onReady={() => setIsReady(true)}
      onLoadError={() =>
        setProblem('The card form could not load. Please reload this page; nothing is lost.')
      }
    />
  );
  return (
    <form onSubmit={payByCard} noValidate>
      <Stack>
        <ProblemBox title="Not paid yet" text={problem} />
        {offersWallets ? (
          <WalletsFirst isPaying={isPaying} onPay={payByWallet}>
            {cardFields}
          </WalletsFirst>
        ) : (
          cardFields
        )}
        <Button
          type="submit"
          size="large"
          block
          icon="card"
          needsConnection
          isPending={isPaying}
          pendingText="Paying…"
        >
          {pay}
        </Button>
      </Stack>
    </form>
  );
}
