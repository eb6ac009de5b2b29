import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { StripeError } from '@stripe/stripe-js';
import { type FormEvent, useRef, useState } from 'react';
import { ProblemBox } from '#web/parts/card-form/problem-box.tsx';
import { askIntent, type ProviderWord } from '#web/parts/card-form/provider-word.ts';
import { isRefusal, refusalText } from '#web/parts/card-form/refusal.ts';
import { CARD_ONLY, WalletsFirst } from '#web/parts/card-form/wallets-first.tsx';
import { errorText } from '#web/platform/api/api-error.ts';
import type { Order, StartedPayment } from '#web/platform/api/types.ts';
import type { WalletPayment } from '#web/platform/card-provider/types.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { changeDraft } from '../draft.ts';
import { confirmationPath } from '../finish.ts';
import { agreeOn, endPayment } from './card-provider.ts';
import { PayBar } from './pay-bar.tsx';
import type { SentPayment } from './payment-phase.ts';
import type { TripCardPart } from './trip-card-part.ts';

export type CardFormProps = {
  payment: StartedPayment;
  order: Order;
  /** What a trip card pays of it once the card has paid. */
  part: TripCardPart;
  failure: string | null;
  /** Whether somebody is signed in for whom the card could be saved. */
  canSave: boolean;
  onSent: (sent: SentPayment) => void;
  /** This payment can no longer be confirmed; another one must be started. */
  onDead: () => void;
};

export function CardForm({ payment, order, part, failure, canSave, onSent, onDead }: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setIsReady] = useState(false);
  const [isPaying, setIsPaying] = useState(false);
  useBusyWhile(isPaying, 'payment on its way', 'hard');
  const [problem, setProblem] = useState(failure);
  const [isToBeSaved, setIsToBeSaved] = useState(false);
  /** What of saving the card the server knows; null when it has to be told again. */
  const agreed = useRef<boolean | null>(false);
  /** The payment under way, if it is by wallet. */
  const wallet = useRef<WalletPayment | null>(null);

  function payByCard(event: FormEvent) {
    event.preventDefault();
    if (isPaying) return;
    if (!isReady) return setProblem('The card form is still loading. One moment, please.');
    void pay(isToBeSaved);
  }

  function payByWallet(payment: WalletPayment) {
    if (isPaying) return payment.paymentFailed();
    wallet.current = payment;
    // What is in a wallet stays there.
    void pay(false);
  }

  async function pay(isSaved: boolean) {
    if (!stripe || !elements) return;
    setProblem(null);
    setIsPaying(true);
    const { error: incomplete } = await elements.submit();
    if (incomplete) return refuse(refusalText(incomplete));
    if (agreed.current !== isSaved) {
      try {
        const { clientSecret } = await agreeOn(order.id, isSaved, part);
        if (clientSecret !== payment.clientSecret) return restart();
        await elements.fetchUpdates();
        agreed.current = isSaved;
      } catch (error) {
        return refuse(errorText(error));
      }
    }
    // From here to the answer the outcome is open, whatever happens to this page.
    changeDraft({ isPaymentOpen: true });
    const askProvider = () => askIntent(stripe, payment.clientSecret);
    try {
      const result = await stripe.confirmPayment({
        elements,
        redirect: 'if_required',
        confirmParams: {
          return_url: window.location.origin + confirmationPath(order.id),
          // Says with the card itself that its holder wants it saved: others may pay this order, too.
          ...(isSaved ? { payment_method_data: { allow_redisplay: 'always' } } : {}),
        },
      });
      if (!result.error) {
        const isLikelyPaid = ['succeeded', 'processing'].includes(result.paymentIntent.status);
        onSent({ paymentId: payment.id, isLikelyPaid, askProvider });
      } else if (isRefusal(result.error)) refuseCharge(result.error);
      else if (isDead(result.error)) await settleDead(askProvider);
      else onSent({ paymentId: payment.id, isLikelyPaid: false, askProvider });
    } catch {
      onSent({ paymentId: payment.id, isLikelyPaid: false, askProvider });
    }
  }

  function refuse(text: string) {
    wallet.current?.paymentFailed();
    wallet.current = null;
    changeDraft({ isPaymentOpen: false });
    setIsPaying(false);
    setProblem(text);
  }

  /** What a trip card was to pay is free again: neither a new press nor a new page may go on without it. */
  function refuseCharge(error: StripeError) {
    if (part) {
      agreed.current = null;
      endPayment(order.id, part);
    }
    refuse(refusalText(error));
  }

  /** It was settled elsewhere, in another tab for instance: paid or over, but not by this press. */
  async function settleDead(askProvider: () => Promise<ProviderWord>) {
    const truth = await askProvider();
    if (truth !== 'failed')
      return onSent({ paymentId: payment.id, isLikelyPaid: truth === 'paid', askProvider });
    restart();
  }

  function restart() {
    refuse('This payment is no longer open. You have not been charged. Please enter your card again.');
    onDead();
  }

  return (
    <form onSubmit={payByCard} noValidate>
      <Stack>
        <ProblemBox title="Not paid yet" text={problem} />
        <WalletsFirst isPaying={isPaying} onPay={payByWallet} acceptsTerms>
          <PaymentElement
            options={CARD_ONLY}
            onReady={() => setIsReady(true)}
            onLoadError={() =>
              setProblem('The card form could not load. Please reload this page; nothing is lost.')
            }
          />
        </WalletsFirst>
        {canSave && (
          <Checkbox
            label="Save this card for next time"
            description="You can delete it at any time under Payment Methods in your account."
            checked={isToBeSaved}
            onChange={(event) => setIsToBeSaved(event.target.checked)}
          />
        )}
      </Stack>
      <PayBar icon="card" isPaying={isPaying}>
        Pay {formatMoney(payment.amount, payment.currency)}
      </PayBar>
    </form>
  );
}

function isDead({ type }: StripeError): boolean {
  return type === 'invalid_request_error';
}
