import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Catalogue, FareClass, Quote } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { chosenLegs, holdPlaces } from '../hold.ts';
import type { PriceChangeProps } from '../price-change.tsx';
import { type Draft, useDraft, usePurchase } from '../purchase.ts';
import { useOrderAtOnce } from '../save-order.ts';
import { useGoToStep } from '../steps.ts';
import { buildQuoteRequest, type TripSearch } from '../trip/trip-search.ts';
import { type Offer, offerQuery } from './queries.ts';
import { type Refusal, readRefusal } from './refusal.ts';

type OfferState = { fareClass: FareClass; offer: Offer | null; error: unknown };

export type Fares = ReturnType<typeof useOffers>['fares'];

/** Why the last press of Continue failed, for the sailings that were chosen then. */
type Outcome = { sailings: string; refusal: Refusal | null; changed: PriceChangeProps | null };

/** The fares of the chosen sailings with their prices, and the actions of the step. */
export function useOffers(catalogue: Catalogue, trip: TripSearch, isComplete: boolean) {
  const { units } = useSettings();
  const purchase = usePurchase();
  const draft = useDraft();
  const goToStep = useGoToStep();
  const orderAtOnce = useOrderAtOnce(trip);
  const client = useQueryClient();
  const legs = chosenLegs(draft);
  const sailings = legs.map(({ sailingId }) => sailingId).join();
  const [lastOutcome, setOutcome] = useState<Outcome | null>(null);
  const [isPending, setIsPending] = useState(false);
  const { refusal, changed } =
    lastOutcome?.sailings === sailings ? lastOutcome : { refusal: draft.refusal, changed: null };

  const { fareClasses } = catalogue;
  const query = (fareClass: string) => offerQuery(buildQuoteRequest(catalogue, trip, units, legs, fareClass));
  const results = useQueries({ queries: isComplete ? fareClasses.map(({ code }) => query(code)) : [] });
  const chosen = draft.fareClass ?? fareClasses[0]?.code ?? '';
  const offers = fareClasses.map((fareClass, index): OfferState => {
    if (changed?.quote.fareClass.code === fareClass.code) {
      return { fareClass, offer: { quote: changed.quote, promoProblem: null }, error: null };
    }
    return { fareClass, offer: results[index]?.data ?? null, error: results[index]?.error ?? null };
  });
  const quote = offers.find(({ fareClass }) => fareClass.code === chosen)?.offer?.quote ?? null;

  async function proceed() {
    const endBusy = beginBusy('places being taken');
    setIsPending(true);
    setOutcome({ sailings, refusal: null, changed });
    let requested = quote;
    try {
      // If the price is still loading, the pay step is the first to show it.
      requested ??= (await client.fetchQuery(query(chosen))).quote;
      await holdPlaces(purchase, requested);
      purchase.change({ fareClass: chosen });
      if (!(await orderAtOnce())) goToStep('details');
    } catch (error) {
      // The previous order was or is being paid, which the pay step shows.
      if (hasErrorCode(error, 'already_paid') || hasErrorCode(error, 'payment_in_progress')) goToStep('pay');
      else await handleRefusal(readRefusal(error), requested);
    } finally {
      setIsPending(false);
      endBusy();
    }
  }

  async function handleRefusal(next: Refusal, requested: Quote | null) {
    setOutcome({ sailings, refusal: next, changed });
    if (next.kind === 'price_changed' && requested !== null) {
      const fresh = next.quote ?? (await refetchQuote());
      if (fresh === null) return;
      setOutcome({ sailings, refusal: next, changed: { was: requested.total, quote: fresh } });
    } else if (next.kind !== 'other') {
      await client.invalidateQueries({ queryKey: ['sailings'] });
    }
  }

  async function refetchQuote(): Promise<Quote | null> {
    await client.invalidateQueries({ queryKey: ['offer'] });
    return client.getQueryData(query(chosen).queryKey)?.quote ?? null;
  }

  /** Another fare or promo code makes the refusal outdated. */
  function change(fields: Partial<Draft>) {
    setOutcome({ sailings, refusal: null, changed: null });
    purchase.change({ refusal: null, ...fields });
  }

  const fares = {
    offers,
    chosen,
    onChoose: (fareClass: string) => change({ fareClass }),
    onPromoCode: (promoCode: string) => change({ trip: { ...trip, promoCode } }),
    onRetry: () => void client.invalidateQueries({ queryKey: ['offer'] }),
  };
  return { fares, quote, refusal, changed, isPending, proceed };
}
