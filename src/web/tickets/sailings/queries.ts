import { queryOptions } from '@tanstack/react-query';
import { createQuote } from '#contract/orders/buy/endpoints.ts';
import { getSailing, getTimetable, listSailingDays } from '#contract/sailings/endpoints.ts';
import { localDay } from '#web/features/site/local-time.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { Quote, QuoteRequest, SailingDaysQuery } from '#web/platform/api/types.ts';
import { addDays, type IsoDate } from '#web/ui/calendar/calendar.ts';

/** `promoProblem`: why the promo code does not apply. */
export type Offer = { quote: Quote; promoProblem: string | null };

/** Shorter than a quote is valid, so that what is shown can be bought. */
const OFFER_FRESH_MS = 5 * 60_000;
const DAYS_AHEAD = 7;

export function offerQuery(request: QuoteRequest) {
  return queryOptions({
    queryKey: ['offer', request] as const,
    queryFn: ({ signal }) => fetchOffer(request, signal),
    staleTime: OFFER_FRESH_MS,
  });
}

export function sailingQuery(id: string) {
  return queryOptions({
    queryKey: ['sailing', id] as const,
    queryFn: ({ signal }) => request(getSailing, { params: { id }, signal }),
  });
}

/** The lowest price of each day of a period; a minute late is acceptable, because the list of the day is exact. */
export function sailingDaysQuery(search: SailingDaysQuery) {
  return queryOptions({
    queryKey: ['sailing-days', search] as const,
    queryFn: ({ signal }) => request(listSailingDays, { query: search, signal }),
    staleTime: 60_000,
  });
}

/** The route's first day with sailings in the week after this day, or null. Without a route it is not known. */
export function nextSailingDayQuery(routeId: string | null, after: IsoDate) {
  return queryOptions({
    queryKey: ['next-sailing-day', routeId, after] as const,
    queryFn: async ({ signal }) => {
      if (routeId === null) return null;
      const query = { from: addDays(after, 1), to: addDays(after, DAYS_AHEAD) };
      const entries = await request(getTimetable, { params: { id: routeId }, query, signal });
      const days = entries
        .filter(({ status }) => status !== 'canceled')
        .map(({ departsLocal }) => localDay(departsLocal));
      return days.sort()[0] ?? null;
    },
  });
}

/** With an invalid promo code the trip is priced without it. */
async function fetchOffer(party: QuoteRequest, signal: AbortSignal): Promise<Offer> {
  try {
    return { quote: await request(createQuote, { body: party, signal }), promoProblem: null };
  } catch (error) {
    const isAboutPromo = hasErrorCode(error, 'promo_invalid') || hasErrorCode(error, 'promo_used_up');
    if (!isAboutPromo) throw error;
    const quote = await request(createQuote, { body: { ...party, promoCode: null }, signal });
    return { quote, promoProblem: errorText(error) };
  }
}
