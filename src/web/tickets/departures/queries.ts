import { queryOptions } from '@tanstack/react-query';
import { getDepartures } from '#contract/departures/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { Departures } from '#web/platform/api/types.ts';
import { DEPARTURES_KEY } from '#web/platform/query/query-keys.ts';
import type { PersistMeta } from '#web/platform/saved-data/saved-query.ts';
import type { IsoDate } from '#web/ui/calendar/calendar.ts';

/** After the end of its day, with the hours by which zones differ and boats are late. */
const SAVED_AFTER_DAY_MS = 36 * 60 * 60_000;

/**
 * The departures of a port, by its code; without a day those of today at the port. Public, and saved on this device for
 * everyone who uses it.
 */
export function departuresQuery(code: string, day: IsoDate | null = null) {
  const port = code.toUpperCase();
  return queryOptions({
    queryKey: [...DEPARTURES_KEY, port, day ?? 'today'] as const,
    queryFn: ({ signal }) =>
      request(getDepartures, { params: { port }, query: day === null ? {} : { date: day }, signal }),
    meta: { persist: 'device', savedUntil } satisfies PersistMeta,
  });
}

function savedUntil({ day }: Departures): number {
  return Date.parse(`${day}T23:59:59Z`) + SAVED_AFTER_DAY_MS;
}
