import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Catalogue, Quote } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { changeDraft, useDraft } from '../draft.ts';
import { chosenIds, keepPlaces } from '../hold.ts';
import { useOrderAtOnce } from '../order-at-once.ts';
import type { PriceChangeProps } from '../price-change.tsx';
import { useGoToStep } from '../steps.ts';
import { quoteRequestOf, type Trip } from '../trip/trip.ts';
import type { OfferState } from './fare-choice.tsx';
import { offerQuery } from './queries.ts';
import { type Refusal, readRefusal } from './refusal.ts';

/** What became of the last press of Continue, for the sailings it was about. */
type Outcome = { sailings: string; refusal: Refusal | null; changed: PriceChangeProps | null };

/** The fares of the chosen sailings with their prices, and the way on from there. */
export function useOffers(catalogue: Catalogue, trip: Trip, isComplete: boolean) {
  const { units } = useSettings();
  const draft = useDraft();
  const goToStep = useGoToStep();
  const orderAtOnce = useOrderAtOnce(trip);
  const client = useQueryClient();
  const sailingIds = chosenIds(draft);
  const sailings = sailingIds.join();
  const [lastOutcome, setOutcome] = useState<Outcome | null>(null);
  const [isPending, setIsPending] = useState(false);
  const { refusal, changed } =
    lastOutcome?.sailings === sailings ? lastOutcome : { refusal: draft.refusal, changed: null };

  const { fareClasses } = catalogue;
  const request = (fareClass: string) =>
    quoteRequestOf(catalogue, trip, units, { sailingIds, fareClass, promoCode: trip.promoCode });
  const results = useQueries({
    queries: isComplete ? fareClasses.map(({ code }) => offerQuery(request(code))) : [],
  });
  const chosen = draft.fareClass ?? fareClasses[0]?.code ?? '';
  const offers = fareClasses.map((fareClass, index): OfferState => {
    const result = results[index];
    const error = result?.isError ? result.error : null;
    if (changed?.quote.fareClass.code === fareClass.code) {
      return { fareClass, offer: { quote: changed.quote, promoProblem: null }, error: null };
    }
    return { fareClass, offer: result?.data ?? null, error };
  });
  const quote = offers.find(({ fareClass }) => fareClass.code === chosen)?.offer?.quote ?? null;

  async function proceed() {
    const done = beginBusy('places being taken');
    setIsPending(true);
    setOutcome({ sailings, refusal: null, changed });
    let asked = quote;
    try {
      // Pressed before the price came: it is waited for, and shown again beside the button that pays.
      asked ??= (await client.fetchQuery(offerQuery(request(chosen)))).quote;
      await keepPlaces(asked);
      changeDraft({ fareClass: chosen });
      if (!(await orderAtOnce())) goToStep('details');
    } catch (error) {
      // The order of before was paid after all, or is being paid: its own step tells.
      if (hasErrorCode(error, 'already_paid') || hasErrorCode(error, 'payment_in_progress')) goToStep('pay');
      else await handleRefusal(readRefusal(error), asked);
    } finally {
      setIsPending(false);
      done();
    }
  }

  async function handleRefusal(next: Refusal, asked: Quote | null) {
    setOutcome({ sailings, refusal: next, changed });
    if (next.kind === 'price_changed' && asked !== null) {
      const fresh = next.quote ?? (await askAgain());
      if (fresh !== null) {
        setOutcome({ sailings, refusal: next, changed: { was: asked.total, quote: fresh } });
      }
    } else if (next.kind !== 'other') {
      await client.invalidateQueries({ queryKey: ['sailings'] });
    }
  }

  async function askAgain(): Promise<Quote | null> {
    await client.invalidateQueries({ queryKey: ['offer'] });
    return client.getQueryData(offerQuery(request(chosen)).queryKey)?.quote ?? null;
  }

  /** Another fare or promo code: what was refused before no longer counts. */
  function change(fields: Parameters<typeof changeDraft>[0]) {
    setOutcome({ sailings, refusal: null, changed: null });
    changeDraft({ refusal: null, ...fields });
  }

  return {
    offers,
    chosen,
    quote,
    refusal,
    changed,
    isPending,
    proceed,
    chooseFare: (fareClass: string) => change({ fareClass }),
    applyPromoCode: (promoCode: string) => change({ trip: { ...trip, promoCode } }),
    retry: () => void client.invalidateQueries({ queryKey: ['offer'] }),
  };
}
