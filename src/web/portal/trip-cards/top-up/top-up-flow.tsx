import { Suspense, useEffect, useRef } from 'react';
import { getTopUpLimits, isTopUpAmount } from '#domain/trip-cards/card-charges.ts';
import { CardFormSkeleton } from '#web/features/payment/card-provider.tsx';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { PaymentCheck } from '#web/features/payment/payment-check.tsx';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { SavedCardPicker, useCardChoice, useSavedCards } from '#web/features/payment/saved-cards.tsx';
import { Questions } from '#web/features/site/contact-ways.tsx';
import type { TopUp, TripCard } from '#web/platform/api/types.ts';
import { useStore } from '#web/platform/create-store.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { AmountField, describeLimits, parseAmount } from '../amounts.tsx';
import { cardTitle } from '../trip-card.ts';
import type { PendingTopUp, TopUpInput, TopUpPayment } from './top-up-payment.ts';

const NewCard = lazyComponent(() => import('./new-card.tsx').then((module) => module.NewCard));

type TopUpFlowProps = { card: TripCard; payment: TopUpPayment };

/** Not in a dialog, because the bank's page opens above it. A reload returns to the same step. */
export function TopUpFlow({ card, payment }: TopUpFlowProps) {
  const state = usePaymentState(payment);
  const pending = useStore(payment.pending);
  const step = getStep(state, pending);
  const heading = useFocusOnChange(step);
  useBusyWhile(pending !== null, 'payment open');
  return (
    <Card
      title={
        <span ref={heading} tabIndex={-1}>
          {TITLES[step]}
        </span>
      }
    >
      {state.name === 'paid' ? (
        <Paid topUp={state.result} card={card} onAgain={() => payment.dispatch({ type: 'start-over' })} />
      ) : pending === null ? (
        <TopUpForm card={card} failure={state.problem} onStart={payment.begin} />
      ) : step === 'check' ? (
        <PaymentCheck payment={payment}>
          You can close this page. If the payment goes through, the money will be on your trip card. If it
          fails, you are not charged. <Questions />
        </PaymentCheck>
      ) : (
        <Suspense fallback={<CardFormSkeleton />}>
          <NewCard payment={payment} pending={pending} currency={card.currency} />
        </Suspense>
      )}
    </Card>
  );
}

function getStep({ name }: { name: string }, pending: PendingTopUp | null): keyof typeof TITLES {
  if (name === 'paid') return 'paid';
  if (pending === null) return 'choose';
  const isCharged = pending.paymentCardId !== null || name === 'unknown' || name === 'bank';
  return isCharged ? 'check' : 'card';
}

const TITLES = {
  choose: 'Top up',
  card: 'Pay with a new card',
  check: 'Your payment',
  paid: 'Paid',
} as const;

type PaidProps = { topUp: TopUp; card: TripCard; onAgain: () => void };

function Paid({ topUp, card, onAgain }: PaidProps) {
  return (
    <Notice
      type="success"
      role="status"
      title={`${formatMoney(topUp.amount, topUp.currency)} is on ${cardTitle(card)}`}
      action={
        <Button variant="secondary" onClick={onAgain}>
          Top up again
        </Button>
      }
    >
      You can pay with it now. {topUp.receiptNumber !== null && `Your receipt is ${topUp.receiptNumber}.`}
    </Notice>
  );
}

function useFocusOnChange(step: string) {
  const heading = useRef<HTMLSpanElement>(null);
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    heading.current?.focus();
  }, [step]);
  return heading;
}

const OTHER = 'other';

type TopUpFormProps = {
  card: TripCard;
  /** Why the previous payment failed. */
  failure: string | null;
  onStart: (input: TopUpInput) => void;
};

function TopUpForm({ card, failure, onStart }: TopUpFormProps) {
  const { currency } = card;
  const limits = getTopUpLimits(useSettings().top_up, currency);
  const { presets, min, max } = limits;
  const saved = useSavedCards();
  const [chosen, choose] = useCardChoice(saved.cards);
  const isNew = chosen === null;
  const form = useForm({
    initial: { choice: String(presets[0] ?? OTHER), amount: '', saveCard: false },
    check: (values): { amount?: string } => {
      const amount = readAmount(values, currency);
      const isValid = amount !== null && isTopUpAmount(amount, limits);
      return isValid ? {} : { amount: describeLimits(limits, currency) };
    },
    send: (values) => {
      const amount = readAmount(values, currency);
      if (saved.isPending || amount === null) return;
      onStart({ amount, paymentCardId: chosen?.id ?? null, saveCard: isNew && values.saveCard });
    },
  });
  const { choice, saveCard } = form.values;
  const amount = readAmount(form.values, currency);
  useBusyWhile(form.values.amount !== '', 'an amount being typed');
  return (
    <Form form={form} problemTitle="Please check the amount">
      <ProblemBox title="Not paid" text={failure} />
      <Segmented
        legend="How much"
        value={choice}
        onChange={(value) => form.change({ choice: value })}
        options={[
          ...presets.map((preset) => ({ value: String(preset), label: shortMoney(preset, currency) })),
          { value: OTHER, label: 'Other' },
        ]}
      />
      {choice === OTHER && (
        <AmountField
          {...form.input('amount')}
          label="Amount"
          currency={currency}
          hint={`From ${formatMoney(min, currency)} to ${formatMoney(max, currency)}.`}
        />
      )}
      {saved.isPending ? (
        <output>
          <span className="visually-hidden">Loading your payment cards…</span>
          <Skeleton height="3rem" lines={2} />
        </output>
      ) : (
        saved.cards.length > 0 && <SavedCardPicker cards={saved.cards} chosen={chosen} onChoose={choose} />
      )}
      {!saved.isPending && isNew && (
        <Checkbox
          label="Save this card for next time"
          description="You can delete it at any time under Payment Methods."
          checked={saveCard}
          onChange={(event) => form.change({ saveCard: event.target.checked })}
        />
      )}
      <Button type="submit" size="large" block icon="card" needsConnection isPending={saved.isPending}>
        {isNew ? 'Enter card details' : amount === null ? 'Pay' : `Pay ${formatMoney(amount, currency)}`}
      </Button>
    </Form>
  );
}

function readAmount({ choice, amount }: { choice: string; amount: string }, currency: string): number | null {
  return choice === OTHER ? parseAmount(amount, currency) : Number(choice);
}

/** "$20" */
function shortMoney(amount: number, currency: string): string {
  return formatMoney(amount, currency).replace(/\.00$/, '');
}
