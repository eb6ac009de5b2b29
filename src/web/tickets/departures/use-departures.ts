import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readLocalDay } from '#domain/format/dates.ts';
import { useNow } from '#web/features/site/use-now.ts';
import type { Departures } from '#web/platform/api/types.ts';
import { useApiAvailable } from '#web/platform/connection/connection.ts';
import { whenIdle } from '#web/platform/when-idle.ts';
import { addDays } from '#web/ui/calendar/calendar.ts';
import { useRestoringOrders } from '../saved-tickets/saved-orders.ts';
import { departuresQuery } from './queries.ts';

const REFRESH_MS = 30_000;
/** Older data does not show the present state of a boat. */
const CURRENT_FOR_MS = 2 * 60_000;
const HOUR_MS = 60 * 60_000;

export type ShownDepartures = {
  /** Undefined while they are loaded or restored, and if that failed. */
  list: Departures | undefined;
  /** When the server was asked last, in milliseconds. */
  checkedAt: number;
  /** Whether the data is recent enough to show the present state of each boat. */
  isCurrent: boolean;
  now: number;
  /** For the problem if there is nothing to show; null while loading. */
  failed: { error: unknown; isFetching: boolean; refetch: () => unknown } | null;
};

/**
 * Today's departures of a port. Refreshed while the page is visible and the API available; without a connection the last
 * list, and after midnight the one that was fetched in advance.
 * @param daysAhead number of days fetched in advance for times without a connection
 */
export function useDepartures(code: string, daysAhead: number): ShownDepartures {
  const isAvailable = useApiAvailable();
  const isRestoring = useRestoringOrders();
  const now = useNow();
  const current = useQuery({
    ...departuresQuery(code),
    refetchInterval: isAvailable ? REFRESH_MS : false,
  });
  const { data } = current;
  const today = data === undefined ? '' : readLocalDay(now, data.port.timeZone);
  const isOver = data !== undefined && data.day < today;
  const nextDay = useQuery({ ...departuresQuery(code, today), enabled: isOver, staleTime: HOUR_MS });
  usePrefetchedDays(code, { from: data?.day, count: daysAhead, isEnabled: isAvailable && !isOver });
  const { data: list, dataUpdatedAt } = isOver && nextDay.data ? nextDay : current;
  return {
    list,
    checkedAt: dataUpdatedAt,
    isCurrent: isAvailable && now - dataUpdatedAt < CURRENT_FOR_MS,
    now,
    failed: list === undefined && current.isError && !isRestoring ? current : null,
  };
}

type Days = { from: string | undefined; count: number; isEnabled: boolean };

/** Fetches the following days when idle, one after the other, and again every hour. */
function usePrefetchedDays(code: string, { from, count, isEnabled }: Days): void {
  const client = useQueryClient();
  useEffect(() => {
    if (from === undefined || !isEnabled) return;
    let isOver = false;
    const fetchDays = () =>
      whenIdle(async () => {
        for (let ahead = 1; ahead <= count && !isOver; ahead += 1)
          await client.prefetchQuery({ ...departuresQuery(code, addDays(from, ahead)), staleTime: HOUR_MS });
      });
    fetchDays();
    const timer = setInterval(fetchDays, HOUR_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [client, code, from, count, isEnabled]);
}
