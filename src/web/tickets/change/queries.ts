import { queryOptions } from '@tanstack/react-query';
import { getUnpaidChange, quoteChange } from '#contract/orders/change/endpoints.ts';
import type { Direction } from '#domain/orders/legs.ts';
import type { Units } from '#web/features/site/lengths.ts';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { Catalogue, Order } from '#web/platform/api/types.ts';
import { type Journey, listSailings } from '#web/platform/query/journey.ts';
import type { Draft } from '../purchase.ts';
import { buildQuoteRequest } from '../trip/trip-search.ts';

export type ChangeRequest = InputOf<typeof quoteChange>['body'];

/** The chosen journeys as the server takes them; null until their sailings are chosen. */
export function buildChangeRequest(
  catalogue: Catalogue,
  { draft, units, order }: { draft: Draft; units: Units; order: Order },
): ChangeRequest | null {
  const { trip, outward, back, changedJourney, plate } = draft;
  if (trip === null || outward === null || changedJourney === null) return null;
  if (changedJourney === 'both' && back === null) return null;
  const { passengers, vehicle, bicycles } = buildQuoteRequest(catalogue, trip, units, [], '');
  const build = (direction: Direction, journey: Journey) => {
    const sailingIds = listSailings(journey).map(({ id }) => id);
    return { direction, sailingIds, passengers, vehicle, bicycles };
  };
  const typed = plate.trim();
  return {
    journeys: [
      build(changedJourney === 'both' ? 'out' : changedJourney, outward),
      ...(changedJourney === 'both' && back !== null ? [build('back', back)] : []),
    ],
    ...(vehicle !== null && typed !== '' && typed !== order.plate ? { plate: typed } : {}),
  };
}

/** The change that staff made for the buyer, who has to pay for it. */
export function unpaidChangeQuery(orderId: string) {
  return queryOptions({
    queryKey: ['unpaid-change', orderId] as const,
    queryFn: ({ signal }) => request(getUnpaidChange, { params: { id: orderId }, signal }),
    gcTime: 0,
  });
}

/** A new version of the order may have another price. */
export function changeQuoteQuery({ id, version }: Order, body: ChangeRequest | null) {
  return queryOptions({
    queryKey: ['change-quote', id, version, body] as const,
    queryFn: ({ signal }) => request(quoteChange, { params: { id }, body: body ?? { journeys: [] }, signal }),
    staleTime: 60_000,
    retry: false,
  });
}
