import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { portalPages } from '#contract/paths.ts';
import { cardAppearance } from '#web/parts/card-form/card-appearance.ts';
import { ProblemBox } from '#web/parts/card-form/problem-box.tsx';
import { isRefusal, refusalText } from '#web/parts/card-form/refusal.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { startCardSetup } from '#web/platform/api/payment-cards.ts';
import type { SetupIntent } from '#web/platform/api/types.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Cluster, Stack } from '#web/ui/stack.tsx';
import { forgetPendingSetup, keepPendingSetup, type PendingSetup } from './pending-setup.ts';

export type AddCardFormProps = {
  stripe: Stripe;
  /** Whether there is a card this one could take the place of. */
  hasPrimary: boolean;
  /** Why the try before this one came to nothing. */
  problem: string | null;
  onCancel: () => void;
  /** The provider has it, or may have it: only the server knows the rest. */
  onSent: (setup: PendingSetup) => void;
};

export function AddCardForm({ stripe, ...props }: AddCardFormProps) {
  const options = useMemo(
    () => ({ mode: 'setup' as const, allowedPaymentMethodTypes: ['card'], appearance: cardAppearance() }),
    [],
  );
  return (
    <Elements stripe={stripe} options={options}>
      <CardFields {...props} />
    </Elements>
  );
}

type CardFieldsProps = Omit<AddCardFormProps, 'stripe'>;

function CardFields({ hasPrimary, problem: before, onCancel, onSent }: CardFieldsProps) {
  const [isReady, setIsReady] = useState(false);
  const [isWantedPrimary, setIsWantedPrimary] = useState(false);
  const { isSaving, problem, setProblem, save } = useSaving({ before, isReady, isWantedPrimary, onSent });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    void save();
  }

  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack>
        <ProblemBox title="Not added yet" text={problem} />
        <PaymentElement
          options={{ layout: 'tabs', terms: { card: 'never' } }}
          onReady={() => setIsReady(true)}
          onLoadError={() =>
            setProblem('The card form could not load. Please reload this page; nothing is lost.')
          }
        />
        {hasPrimary && (
          <Checkbox
            label="Make this my primary card"
            checked={isWantedPrimary}
            onChange={(event) => setIsWantedPrimary(event.target.checked)}
          />
        )}
        <p>
          Your card goes straight to our card provider, never to us. You agree that we may charge it for what
          you buy with it. Adding it costs nothing.
        </p>
        <Cluster>
          <Button type="submit" icon="card" isPending={isSaving} pendingText="Adding…">
            Add this card
          </Button>
          <Button variant="secondary" aria-disabled={isSaving} onClick={onCancel}>
            Cancel
          </Button>
        </Cluster>
      </Stack>
    </form>
  );
}

type Saving = {
  before: string | null;
  isReady: boolean;
  isWantedPrimary: boolean;
  onSent: (setup: PendingSetup) => void;
};

function useSaving({ before, isReady, isWantedPrimary, onSent }: Saving) {
  const stripe = useStripe();
  const elements = useElements();
  const [isSaving, setIsSaving] = useState(false);
  useBusyWhile(isSaving, 'a card on its way', 'hard');
  const [problem, setProblem] = useState(before);
  /** A declined card leaves its setup open for the next one. */
  const setup = useRef<SetupIntent | null>(null);

  async function save() {
    if (isSaving) return;
    if (!stripe || !elements || !isReady)
      return setProblem('The card form is still loading. One moment, please.');
    setProblem(null);
    setIsSaving(true);
    const { error: incomplete } = await elements.submit();
    if (incomplete) return refuse(refusalText(incomplete));
    try {
      setup.current ??= await startCardSetup();
    } catch (error) {
      return refuse(errorText(error));
    }
    await confirm(stripe, elements, setup.current);
  }

  async function confirm(
    to: Stripe,
    from: NonNullable<typeof elements>,
    { clientSecret, setupIntentId }: SetupIntent,
  ) {
    const pending = { setupIntentId, primary: isWantedPrimary };
    // From here to the answer the outcome is open, whatever happens to this page.
    keepPendingSetup(pending);
    try {
      const { error } = await to.confirmSetup({
        elements: from,
        clientSecret,
        redirect: 'if_required',
        confirmParams: { return_url: window.location.origin + portalPages.paymentMethods },
      });
      if (!error) return onSent(pending);
      if (isRefusal(error)) {
        forgetPendingSetup();
        return refuse(refusalText(error));
      }
    } catch {
      // No answer says nothing about the card: the server is asked.
    }
    setup.current = null;
    onSent(pending);
  }

  function refuse(text: string) {
    setIsSaving(false);
    setProblem(text);
  }

  return { isSaving, problem, setProblem, save };
}
