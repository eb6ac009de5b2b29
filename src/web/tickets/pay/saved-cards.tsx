import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { presentDecline } from '#contract/payments/declines.ts';
import { CardFormSkeleton } from '#web/parts/card-form/card-provider.tsx';
import { importProvider } from '#web/parts/card-form/import-provider.ts';
import { ProblemBox } from '#web/parts/card-form/problem-box.tsx';
import { askIntent } from '#web/parts/card-form/provider-word.ts';
import { isRefusal, refusalText } from '#web/parts/card-form/refusal.ts';
import { CardName } from '#web/parts/card-name.tsx';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { listPaymentCards } from '#web/platform/api/payment-cards.ts';
import type { Order, PaymentCard, StartedPayment } from '#web/platform/api/types.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { formatMoney } from '#web/ui/money.tsx';
import { RadioCards } from '#web/ui/radio-cards.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { isAnswered } from '../attempts.ts';
import { changeDraft, draftStore } from '../draft.ts';
import { askProviderAgain, paySaved } from './card-provider.ts';
import { PayBar } from './pay-bar.tsx';
import type { SentPayment } from './payment-phase.ts';
import type { TripCardPart } from './trip-card-part.ts';

export type SavedCardsProps = {
  order: Order;
  part: TripCardPart;
  failure: string | null;
  onSent: (sent: SentPayment) => void;
  /** The form for any other card. */
  enterCard: (failure: string | null) => ReactNode;
};

const ANOTHER = 'another';

/** The customer's cards that are good, the primary one chosen; without any, or any news of them, the form. */
export function SavedCards({ order, part, failure, onSent, enterCard }: SavedCardsProps) {
  const list = useQuery({
    queryKey: ['payment-cards', 'to-pay-with'],
    queryFn: ({ signal }) => listPaymentCards(1, { signal }),
    retry: false,
  });
  const [choice, setChoice] = useState<string | null>(null);
  if (list.isPending) return <CardFormSkeleton />;
  const cards = (list.data?.data ?? []).filter(({ expired }) => !expired);
  const [first] = cards;
  if (!first) return enterCard(failure);
  const chosen = choice === ANOTHER ? null : (cards.find(({ id }) => id === choice) ?? first);
  return (
    <Stack>
      <RadioCards
        legend="Pay with"
        value={chosen?.id ?? ANOTHER}
        onChange={setChoice}
        options={[
          ...cards.map((card) => ({
            value: card.id,
            label: <CardName card={card} />,
            description: `${card.primary ? 'Primary card, expires' : 'Expires'} ${card.expDate}`,
          })),
          { value: ANOTHER, label: 'Another card' },
        ]}
      />
      {chosen ? (
        <SavedCardForm order={order} part={part} card={chosen} failure={failure} onSent={onSent} />
      ) : (
        enterCard(null)
      )}
    </Stack>
  );
}

type SavedCardFormProps = {
  order: Order;
  part: TripCardPart;
  card: PaymentCard;
  failure: string | null;
  onSent: (sent: SentPayment) => void;
};

function SavedCardForm({ order, part, card, failure, onSent }: SavedCardFormProps) {
  const [isPaying, setIsPaying] = useState(false);
  useBusyWhile(isPaying, 'payment on its way', 'hard');
  const [problem, setProblem] = useState(failure);

  async function pay(event: FormEvent) {
    event.preventDefault();
    if (isPaying) return;
    setProblem(null);
    setIsPaying(true);
    // From here to the answer the outcome is open, whatever happens to this page.
    changeDraft({ isPaymentOpen: true });
    try {
      await finish(await paySaved(order.id, card.id, part));
    } catch (error) {
      const isOver = hasErrorCode(error, 'already_paid') || hasErrorCode(error, 'payment_in_progress');
      if (isAnswered(error) && !isOver) refuse(errorText(error));
      else send(hasErrorCode(error, 'already_paid'));
    }
  }

  /** The bank may want to see its customer first; the provider's script leads there. */
  async function finish(payment: StartedPayment) {
    if (payment.status !== 'requires_action') return send(payment.status !== 'created');
    const outcome = await authenticate(payment);
    if (outcome === 'unknown') return send(false);
    if (outcome === 'passed') return send(true);
    refuse(outcome.refusal);
  }

  function send(isLikelyPaid: boolean) {
    const { paymentId } = draftStore.get();
    onSent({ paymentId, isLikelyPaid, askProvider: () => askProviderAgain(order) });
  }

  function refuse(text: string) {
    changeDraft({ isPaymentOpen: false });
    setIsPaying(false);
    setProblem(text);
  }

  return (
    <form onSubmit={(event) => void pay(event)} noValidate>
      <ProblemBox title="Not paid yet" text={problem} />
      <PayBar icon="card" isPaying={isPaying}>
        Pay {formatMoney(order.total - (part?.tripCardAmount ?? 0), order.currency)}
      </PayBar>
    </form>
  );
}

const NOT_CONFIRMED = presentDecline('payment_intent_authentication_failure').message;

async function authenticate({
  clientSecret,
}: StartedPayment): Promise<'passed' | 'unknown' | { refusal: string }> {
  const stripe = await importProvider().catch(() => null);
  if (stripe === null)
    return { refusal: 'Your bank’s page could not load. You have not been charged. Please try again.' };
  try {
    const { error } = await stripe.handleNextAction({ clientSecret });
    if (!error) return 'passed';
    if (isRefusal(error)) return { refusal: refusalText(error) };
  } catch {
    // No answer says nothing about the payment: the provider is asked.
  }
  return (await askIntent(stripe, clientSecret)) === 'failed' ? { refusal: NOT_CONFIRMED } : 'unknown';
}
