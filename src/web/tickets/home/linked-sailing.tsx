import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { canBuyOnline } from '#web/features/sailing/sailing-row.tsx';
import type { Catalogue } from '#web/platform/api/types.ts';
import { sailingsQuery } from '#web/platform/query/queries.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { isIsoDate } from '#web/ui/calendar/calendar.ts';
import { Loading } from '#web/ui/feedback/skeleton.tsx';
import { usePurchase } from '../purchase.ts';
import { type StepProps, useGoToStep } from '../steps.ts';
import { fillParty, readParty } from '../trip/linked-party.ts';
import { canTravel, currentTripSearch, findSailingsSearch, type TripSearch } from '../trip/trip-search.ts';

/**
 * Opens the purchase that a link describes: `?from=ANA&to=FRI&date=2026-06-01&sailing=slg_…`, where the day and the
 * sailing may be missing. The party chosen before stays;
 * without one it is asked for. Without a sailing that can be bought, the sailings of the day
 * are shown to choose from. A link with a party, which books an order again, fills in the form, where the day is chosen. A
 * purchase with an unpaid order is not changed.
 */
export function LinkedSailing({ catalogue, today }: StepProps) {
  const [search] = useSearchParams();
  const { units } = useSettings();
  const purchase = usePurchase();
  const client = useQueryClient();
  const goToStep = useGoToStep();
  useEffect(() => {
    const linked = findTrip(search, catalogue, currentTripSearch(purchase.get().trip, catalogue, today));
    if (linked === null || purchase.get().orderId !== null) return goToStep('trip', { replace: true });
    const party = readParty(search);
    const trip = party === null ? linked : { ...linked, ...fillParty(catalogue, party, units) };
    if (party !== null) {
      purchase.change({ trip, hasSearched: false, outward: null, back: null, notice: null, refusal: null });
      return goToStep('trip', { replace: true });
    }
    let isOver = false;
    const open = async () => {
      const query = findSailingsSearch(catalogue, trip, 'out', units);
      // A list that cannot be loaded is the next step's to report.
      const sailings = query && (await client.fetchQuery(sailingsQuery(query)).catch(() => null));
      if (isOver) return;
      const chosen = sailings?.find(({ id }) => id === search.get('sailing'));
      const outward = chosen && canBuyOnline(chosen) ? chosen : null;
      const asksForParty = purchase.get().trip === null;
      purchase.change({
        trip,
        hasSearched: true,
        asksForParty,
        outward,
        back: null,
        notice: null,
        refusal: null,
      });
      goToStep('sailings', { replace: true });
    };
    void open();
    return () => {
      isOver = true;
    };
  }, [search, catalogue, today, units, purchase, client, goToStep]);
  return <Loading height="3rem" lines={4} />;
}

/** Null if the link does not name a trip that is on sale. */
function findTrip(search: URLSearchParams, catalogue: Catalogue, trip: TripSearch): TripSearch | null {
  const portId = (name: string) => catalogue.ports.find(({ code }) => code === search.get(name))?.id ?? '';
  const [from, to, outDate] = [portId('from'), portId('to'), search.get('date') ?? trip.outDate];
  const { onSaleUntil } = catalogue;
  if (!canTravel(catalogue, from, to)) return null;
  if (!isIsoDate(outDate) || outDate > onSaleUntil) return null;
  const isReturn = search.has('return') && canTravel(catalogue, to, from);
  return { ...trip, tripType: isReturn ? 'return' : 'one-way', from, to, outDate };
}
