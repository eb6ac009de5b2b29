import { useQueryClient } from '@tanstack/react-query';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Catalogue, Quote } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import type { IsoDate } from '#web/ui/calendar/calendar.ts';
import { draftStore } from './draft.ts';
import { chosenIds, takeNewHold } from './hold.ts';
import { offerQuery } from './sailings/queries.ts';
import { readRefusal } from './sailings/refusal.ts';
import { currentTrip, quoteRequestOf } from './trip/trip.ts';

/** Whether the server does not know the hold any more: a crash of its database may lose the holds taken just before. */
export function isHoldLost(error: unknown): boolean {
  return hasErrorCode(error, 'not_found');
}

/**
 * Takes the places of the draft once more, at the price of now.
 * @returns the quote the places are held for; its total may be another one than before
 * @throws {ApiError} sold_out, sales_closed, sailing_cancelled
 */
export function useTakePlacesAgain(catalogue: Catalogue, today: IsoDate): () => Promise<Quote> {
  const { units } = useSettings();
  const client = useQueryClient();

  async function askOffer(): Promise<Quote> {
    const draft = draftStore.get();
    const trip = currentTrip(draft.trip, catalogue, today);
    const request = quoteRequestOf(catalogue, trip, units, {
      sailingIds: chosenIds(draft),
      fareClass: draft.fareClass ?? '',
      promoCode: trip.promoCode,
    });
    return (await client.fetchQuery({ ...offerQuery(request), staleTime: 0 })).quote;
  }

  return async () => {
    const { quote } = draftStore.get();
    if (quote === null) throw new Error('Places were taken without a price.');
    try {
      await takeNewHold(quote);
      return quote;
    } catch (error) {
      const refusal = readRefusal(error);
      if (refusal.kind !== 'price_changed') throw error;
      const fresh = refusal.quote ?? (await askOffer());
      await takeNewHold(fresh);
      return fresh;
    }
  };
}
