import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { formatAsOf } from '#web/parts/card-balance.tsx';
import { CardFormSkeleton } from '#web/parts/card-form/card-provider.tsx';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { payWithTripCard } from '#web/platform/api/ticket-office.ts';
import { listTripCards } from '#web/platform/api/trip-cards.ts';
import type { Order, TripCard } from '#web/platform/api/types.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { StickyBar } from '#web/ui/page.tsx';
import { RadioCards } from '#web/ui/radio-cards.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { isAnswered, runAttempt } from '../attempts.ts';
import { changeDraft } from '../draft.ts';
import { askProviderAgain, endPayment } from './card-provider.ts';
import type { SentPayment } from './payment-phase.ts';
import { payableBy, type TripCardPart } from './trip-card-part.ts';

export type TripCardFirstProps = {
  order: Order;
  onSent: (sent: SentPayment) => void;
  /** Paying by payment card what no trip card pays. */
  payByCard: (part: TripCardPart) => ReactNode;
};

const NONE = 'none';

/** The customer's trip cards that can pay now; without any, or any news of them, payment cards alone. */
export function TripCardFirst({ order, onSent, payByCard }: TripCardFirstProps) {
  const list = useQuery({
    queryKey: ['trip-cards', 'to-pay-with'],
    queryFn: ({ signal }) => listTripCards(1, { signal }),
    retry: false,
  });
  const [choice, setChoice] = useState(NONE);
  if (list.isPending) return <CardFormSkeleton />;
  const cards = (list.data?.data ?? []).filter((card) => canPay(card, order));
  if (cards.length === 0) return payByCard(null);
  const chosen = cards.find(({ id }) => id === choice) ?? null;
  const payable = chosen ? payableBy(chosen.available, order.total) : 0;
  const part = partOf(chosen, payable);

  function choose(next: string) {
    // What was begun for the choice before is over; the server closes it when the next one begins.
    endPayment(order.id, part);
    setChoice(next);
  }

  return (
    <Stack gap="lg">
      <Card title="Trip card">
        <Stack>
          <RadioCards
            legend="Use a trip card"
            value={chosen?.id ?? NONE}
            onChange={choose}
            options={[
              ...cards.map((card) => ({
                value: card.id,
                label: `${card.name}, ending ${card.lastFour}`,
                description: describe(card, order),
              })),
              { value: NONE, label: 'No trip card' },
            ]}
          />
          {chosen && payable === order.total && (
            <WholeForm key={chosen.id} order={order} card={chosen} onSent={onSent} />
          )}
        </Stack>
      </Card>
      {payable < order.total && payByCard(part)}
    </Stack>
  );
}

type WholeFormProps = { order: Order; card: TripCard; onSent: (sent: SentPayment) => void };

function WholeForm({ order, card, onSent }: WholeFormProps) {
  const [isPaying, setIsPaying] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (problem !== null) box.current?.focus();
  }, [problem]);

  async function pay(event: FormEvent) {
    event.preventDefault();
    if (isPaying) return;
    setProblem(null);
    setIsPaying(true);
    try {
      // An answer that got lost is no reason to pay again: the next try is the same one.
      const payment = await runAttempt(`trip-card:${order.id}:${card.id}`, (key) =>
        payWithTripCard(order.id, key, card.id),
      );
      send(payment.id);
    } catch (error) {
      const isOver = hasErrorCode(error, 'already_paid') || hasErrorCode(error, 'payment_in_progress');
      if (isOver) return send(null);
      setIsPaying(false);
      setProblem(
        isAnswered(error)
          ? errorText(error)
          : 'We could not reach our office. Press again: you pay once, however often you press.',
      );
    }
  }

  function send(paymentId: string | null) {
    changeDraft({ paymentId, isPaymentOpen: true });
    onSent({
      paymentId,
      isLikelyPaid: paymentId !== null,
      askProvider: () => askProviderAgain(order.id),
    });
  }

  return (
    <form onSubmit={(event) => void pay(event)} noValidate>
      <div ref={box} tabIndex={-1}>
        {problem !== null && (
          <Notice type="alert" role="alert" title="Not paid yet">
            {problem}
          </Notice>
        )}
      </div>
      <StickyBar>
        <Button type="submit" size="large" block icon="card" isPending={isPaying} pendingText="Paying…">
          Pay {formatMoney(order.total, order.currency)} by trip card
        </Button>
      </StickyBar>
    </form>
  );
}

function canPay(card: TripCard, { total, currency }: Order): boolean {
  return (
    card.status === 'active' &&
    card.role !== 'top_up' &&
    card.currency === currency &&
    payableBy(card.available, total) > 0
  );
}

function partOf(card: TripCard | null, payable: number): TripCardPart {
  return card && { tripCardId: card.id, tripCardAmount: payable };
}

function describe({ available, currency, asOf }: TripCard, { total }: Order): string {
  const payable = payableBy(available, total);
  const balance = `Balance ${formatMoney(available, currency)} ${formatAsOf(asOf, Date.parse(asOf))}`;
  if (payable === total) return `${balance}. Pays all of it.`;
  return `${balance}. Pays ${formatMoney(payable, currency)}, and your card ${formatMoney(total - payable, currency)}.`;
}
