import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { CardFormSkeleton } from '#web/parts/card-form/card-provider.tsx';
import { ProblemBox } from '#web/parts/card-form/problem-box.tsx';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { listTripCards } from '#web/platform/api/trip-cards.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { Card } from '#web/ui/card.tsx';
import { DefinitionList } from '#web/ui/definition-list.tsx';
import { formatMoney, Money } from '#web/ui/money.tsx';
import { RadioCards } from '#web/ui/radio-cards.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { isAnswered } from '../attempts.ts';
import { changeDraft, useDraft } from '../draft.ts';
import { askProviderAgain, endPayment } from './card-provider.ts';
import { PayBar } from './pay-bar.tsx';
import { payWhole } from './pay-whole.ts';
import type { SentPayment } from './payment-phase.ts';
import { type Offer, offersOf, type TripCardPart } from './trip-card-part.ts';

export type TripCardFirstProps = {
  order: Order;
  /** Why the try before this one failed. */
  failure: string | null;
  onSent: (sent: SentPayment) => void;
  /** The order was paid or ended elsewhere. */
  onOrderChanged: () => void;
  /** Paying by payment card what no trip card pays. */
  payByCard: (part: TripCardPart) => ReactNode;
};

const NONE = 'none';

/** The customer's trip cards that can pay now; without any, or any news of them, payment cards alone. */
export function TripCardFirst({ order, failure, onSent, onOrderChanged, payByCard }: TripCardFirstProps) {
  const { tripCardPart: chosenPart } = useDraft();
  const list = useQuery({
    queryKey: ['trip-cards-to-pay-with', order.id],
    queryFn: ({ signal }) => listTripCards(1, { signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  if (list.isPending) return <CardFormSkeleton />;
  const offers = offersOf(list.data?.data ?? [], order, chosenPart);
  if (offers.length === 0) return payByCard(null);
  const chosen = offers.find(({ card }) => card.id === chosenPart?.tripCardId) ?? null;
  const part = partOf(chosen);
  const isWhole = chosen?.amount === order.total;

  function choose(id: string) {
    // What was begun for the choice before is over; the server closes it when the next one begins.
    endPayment(order.id, part);
    changeDraft({ tripCardPart: partOf(offers.find(({ card }) => card.id === id) ?? null) });
  }

  return (
    <Stack gap="lg">
      <Card title="Trip card">
        <Stack>
          <RadioCards
            legend="Use a trip card"
            value={chosen?.card.id ?? NONE}
            onChange={choose}
            options={[
              ...offers.map((offer) => ({
                value: offer.card.id,
                label: `${offer.card.name}, ending ${offer.card.lastFour}`,
                description: describe(offer, order),
              })),
              { value: NONE, label: 'No trip card' },
            ]}
          />
          {chosen && !isWhole && <Shares offer={chosen} order={order} />}
          {chosen && isWhole && (
            <WholeForm
              key={chosen.card.id}
              order={order}
              tripCardId={chosen.card.id}
              failure={failure}
              onSent={onSent}
              onOrderChanged={onOrderChanged}
            />
          )}
        </Stack>
      </Card>
      {!isWhole && payByCard(part)}
    </Stack>
  );
}

/** What is taken from where, and when. */
function Shares({ offer: { card, amount }, order: { total, currency } }: { offer: Offer; order: Order }) {
  return (
    <Stack gap="sm">
      <DefinitionList
        items={[
          {
            term: `From ${card.name}, ending ${card.lastFour}`,
            details: <Money amount={amount} currency={currency} />,
          },
          { term: 'From your payment card', details: <Money amount={total - amount} currency={currency} /> },
        ]}
      />
      <p>
        Nothing is taken from your trip card until your payment card has paid. If that is declined, the trip
        card keeps its money.
      </p>
    </Stack>
  );
}

type WholeFormProps = Pick<TripCardFirstProps, 'order' | 'failure' | 'onSent' | 'onOrderChanged'> & {
  tripCardId: string;
};

function WholeForm({ order, tripCardId, failure, onSent, onOrderChanged }: WholeFormProps) {
  const [isPaying, setIsPaying] = useState(false);
  useBusyWhile(isPaying, 'payment on its way', 'hard');
  const [problem, setProblem] = useState(failure);

  async function pay(event: FormEvent) {
    event.preventDefault();
    if (isPaying) return;
    setProblem(null);
    setIsPaying(true);
    // From here to the answer the outcome is open, whatever happens to this page.
    changeDraft({ isPaymentOpen: true, paymentId: null });
    try {
      const { id } = await payWhole(order.id, tripCardId);
      changeDraft({ paymentId: id });
      send(id);
    } catch (error) {
      if (!isAnswered(error)) return send(null);
      changeDraft({ isPaymentOpen: false });
      setIsPaying(false);
      setProblem(errorText(error));
      if (hasErrorCode(error, 'already_paid') || hasErrorCode(error, 'payment_in_progress')) onOrderChanged();
    }
  }

  function send(paymentId: string | null) {
    onSent({
      paymentId,
      isLikelyPaid: paymentId !== null,
      askProvider: () => askProviderAgain(order),
    });
  }

  return (
    <form onSubmit={(event) => void pay(event)} noValidate>
      <ProblemBox title="Not paid yet" text={problem} />
      <PayBar icon="trip-card" isPaying={isPaying}>
        Pay {formatMoney(order.total, order.currency)} by trip card
      </PayBar>
    </form>
  );
}

function partOf(offer: Offer | null): TripCardPart {
  return offer && { tripCardId: offer.card.id, tripCardAmount: offer.amount };
}

function describe({ card: { available, currency }, amount }: Offer, { total }: Order): string {
  if (amount === total) return `${formatMoney(available, currency)} on it. Pays the whole price.`;
  const rest = formatMoney(total - amount, currency);
  return `Pays ${formatMoney(amount, currency)}; your payment card pays the other ${rest}.`;
}
