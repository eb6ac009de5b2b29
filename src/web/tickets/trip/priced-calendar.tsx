import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#web/language/texts.ts';
import type { Catalogue, SailingDay } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { clampDay } from '#web/ui/calendar/calendar.ts';
import type { DayNote } from '#web/ui/calendar/calendar-grid.tsx';
import { CalendarPopup, type CalendarPopupProps } from '#web/ui/calendar/calendar-popup.tsx';
import { formatMoney, formatShortMoney } from '#web/ui/data/money.tsx';
import { describePrices, nameDayState } from '../sailings/day-prices.ts';
import { sailingDaysQuery } from '../sailings/queries.ts';
import { findTripProblems, tripFields } from './trip-problems.ts';
import { canTravel, type Direction, findDaysSearch, findLegPorts, type TripSearch } from './trip-search.ts';

type PricedCalendarProps = CalendarPopupProps & { catalogue: Catalogue; trip: TripSearch; leg: Direction };

/** A calendar with the lowest price of each day, one way, once the form says where and who travels. */
export function PricedCalendar({ catalogue, trip, leg, ...calendar }: PricedCalendarProps) {
  const { units } = useSettings();
  const [page, setPage] = useState<{ from: string; to: string } | null>(null);
  const { min, max } = calendar;
  const days = page && { from: clampDay(page.from, min), to: clampDay(page.to, undefined, max) };
  const isPriced = canTravel(catalogue, ...findLegPorts(trip, leg)) && isPartyComplete();
  const { data } = useQuery({
    ...sailingDaysQuery(findDaysSearch(catalogue, trip, { leg, ...(days ?? { from: '', to: '' }) }, units)),
    enabled: isPriced && days !== null && days.from <= days.to,
  });

  function isPartyComplete(): boolean {
    const { outDate, backDate } = tripFields;
    const { [outDate]: _out, [backDate]: _back, ...problems } = findTripProblems(catalogue, trip, units);
    return Object.keys(problems).length === 0;
  }

  return (
    <CalendarPopup
      {...calendar}
      notes={isPriced ? new Map(data?.map((day) => [day.day, describeDay(day)])) : undefined}
      legend={isPriced && describePrices(trip.vehicle !== '', false)}
      onPage={(from, to) => setPage({ from, to })}
    />
  );
}

function describeDay(day: SailingDay): DayNote {
  const { state, fromAmount, currency } = day;
  if (state !== 'on_sale' || fromAmount === null) return { text: '–', description: nameDayState(day) ?? '' };
  return {
    text: formatShortMoney(fromAmount, currency),
    description: t('from {price}', { price: formatMoney(fromAmount, currency) }),
  };
}
