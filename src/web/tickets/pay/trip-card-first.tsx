import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { listPassOffers } from '#contract/passes/endpoints.ts';
import { listTripCards } from '#contract/trip-cards/endpoints.ts';
import { getMaxTripCardPart } from '#domain/trip-cards/card-charges.ts';
import { formatTrips } from '#sentences/card-amounts.ts';
import { CardFormSkeleton } from '#web/features/payment/card-provider.tsx';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { listNames } from '#web/language/lists.ts';
import { t } from '#web/language/texts.ts';
import { request, requestPage } from '#web/platform/api/request.ts';
import type { MoneyCard, Order, PassOffer, TripCard } from '#web/platform/api/types.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { formatMoney, Money } from '#web/ui/data/money.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { type TripCardPart, useDraft, usePurchase } from '../purchase.ts';
import { ChargeForm } from './new-card.tsx';
import type { OrderPayment } from './order-payment.ts';

type TripCardFirstProps = {
  order: Order;
  payment: OrderPayment;
  /** Pays the rest by payment card. */
  payByCard: (part: TripCardPart) => ReactNode;
};

/** A trip card that can pay now. `amount` is money; `pass`: the trips that pay it. */
type Offer = {
  card: Pick<MoneyCard, 'id' | 'name' | 'lastFour' | 'available'>;
  amount: number;
  pass?: Pick<PassOffer, 'trips' | 'covered'>;
};

const NONE = 'none';

/** Without trip cards that can pay, or if they fail to load, only payment cards are offered. */
export function TripCardFirst({ order, payment, payByCard }: TripCardFirstProps) {
  const { change } = usePurchase();
  const { tripCardPart: chosenPart } = useDraft();
  const { isPaying, problem } = usePaymentState(payment);
  const list = useQuery({
    queryKey: ['trip-cards-to-pay-with', order.id],
    queryFn: ({ signal }) => requestPage(listTripCards, { page: 1, signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const passes = useQuery({
    queryKey: ['passes-to-pay-with', order.id],
    queryFn: ({ signal }) => request(listPassOffers, { params: { id: order.id }, signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  if (list.isPending || passes.isPending) return <CardFormSkeleton />;
  const offers = [
    ...(passes.data ?? []).map(toOffer),
    ...findOffers(list.data?.data ?? [], order, chosenPart),
  ];
  if (offers.length === 0) return payByCard(null);
  const chosen = offers.find(({ card }) => card.id === chosenPart?.tripCardId) ?? null;
  const part = toPart(chosen);
  const isWhole = chosen?.amount === order.total;

  function choose(id: string) {
    if (isPaying) return;
    payment.dispatch({ type: 'problem', problem: null });
    // The server closes the payment of the previous choice when the next one starts.
    payment.forgetStart(part);
    change({ tripCardPart: toPart(offers.find(({ card }) => card.id === id) ?? null) });
  }

  return (
    <Stack gap="lg">
      <Card title={t('Trip card')}>
        <Stack>
          <RadioCards
            legend={t('Use a trip card')}
            value={chosen?.card.id ?? NONE}
            onChange={choose}
            options={[
              ...offers.map((offer) => ({
                value: offer.card.id,
                label: t('{card}, ending {digits}', { card: offer.card.name, digits: offer.card.lastFour }),
                description: describeOffer(offer, order),
              })),
              { value: NONE, label: t('No trip card') },
            ]}
          />
          {chosen && !isWhole && <Shares offer={chosen} order={order} />}
          {chosen && isWhole && (
            <>
              <ProblemBox title={t('Not paid yet')} text={problem} />
              <ChargeForm
                payment={payment}
                input={{ method: 'trip-card', part: createPart(chosen) }}
                icon="trip-card"
              >
                {chosen.pass
                  ? t('Pay with {count, plural, one {# trip} other {# trips}}', { count: chosen.pass.trips })
                  : t('Pay {amount} by trip card', { amount: formatMoney(order.total, order.currency) })}
              </ChargeForm>
            </>
          )}
        </Stack>
      </Card>
      {!isWhole && payByCard(part)}
    </Stack>
  );
}

function Shares({ offer, order: { total, currency } }: { offer: Offer; order: Order }) {
  const { card, amount, pass } = offer;
  return (
    <Stack gap="sm">
      <DefinitionList
        items={[
          {
            term: t('From {card}, ending {digits}', { card: card.name, digits: card.lastFour }),
            details: pass ? formatTrips(t, pass.trips) : <Money amount={amount} currency={currency} />,
          },
          {
            term: t('From your payment card'),
            details: <Money amount={total - amount} currency={currency} />,
          },
        ]}
      />
      <p>
        {pass
          ? t(
              'Nothing is taken from your pass until your payment card has paid. If that is declined, the pass keeps its trips.',
            )
          : t(
              'Nothing is taken from your trip card until your payment card has paid. If that is declined, the trip card keeps its money.',
            )}
      </p>
    </Stack>
  );
}

function toPart(offer: Offer | null): TripCardPart {
  return offer && createPart(offer);
}

function createPart({ card, amount, pass }: Offer): NonNullable<TripCardPart> {
  return { tripCardId: card.id, tripCardAmount: amount, ...(pass && { trips: pass.trips }) };
}

function toOffer({ tripCardId: id, name, lastFour, available, trips, covered, amount }: PassOffer): Offer {
  return { card: { id, name, lastFour, available }, amount, pass: { trips, covered } };
}

function describeOffer({ card: { available }, amount, pass }: Offer, { total, currency }: Order): string {
  const rest = formatMoney(total - amount, currency);
  if (pass) {
    const people = listNames(pass.covered.map(({ description, count }) => `${count} × ${description}`));
    const { trips } = pass;
    return amount === total
      ? t('Use {trips} of {available, plural, one {# trip} other {# trips}} for {people}.', {
          trips,
          available,
          people,
        })
      : t(
          'Use {trips} of {available, plural, one {# trip} other {# trips}} for {people}. Your payment card pays the other {rest}.',
          { trips, available, people, rest },
        );
  }
  if (amount === total) {
    return t('{balance} on it. Pays the whole price.', { balance: formatMoney(available, currency) });
  }
  return t('Pays {amount}; your payment card pays the other {rest}.', {
    amount: formatMoney(amount, currency),
    rest,
  });
}

/** @param chosen the part this tab has begun with: the server may already have reserved it */
function findOffers(cards: readonly TripCard[], order: Order, chosen: TripCardPart): Offer[] {
  return cards
    .filter((card) => card.unit !== 'trips')
    .filter(
      ({ status, role, currency }) => status === 'active' && role !== 'top_up' && currency === order.currency,
    )
    .map((card) => ({ card, amount: findPayableAmount(card, order, chosen) }))
    .filter(({ amount }) => amount > 0);
}

function findPayableAmount({ id, available, held }: TripCard, order: Order, chosen: TripCardPart): number {
  const begun = chosen?.tripCardId === id ? chosen.tripCardAmount : null;
  const spendable = available + Math.min(begun ?? 0, held);
  // A begun amount stays while it can, because another amount would be another payment.
  const amount = Math.min(spendable, begun ?? spendable);
  return amount >= order.total ? order.total : getMaxTripCardPart(order.total, amount, order.currency);
}
