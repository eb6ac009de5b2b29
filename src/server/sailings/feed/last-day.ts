import { addDays } from '#domain/time/days.ts';
import { collectProblems } from '#server/csv/problems.ts';
import { readTable } from '#server/csv/table.ts';
import { runsOn } from './departures.ts';
import type { FeedFiles } from './feed-files.ts';
import type { Gtfs } from './gtfs.ts';
import { describeSkipped, type GtfsService } from './gtfs-types.ts';

export type FeedEnd = {
  /** The last day on which any trip runs; null if none ever runs. */
  lastServiceDay: string | null;
  /** The last day for which the feed can be relied on: `feed_end_date`, or the last service day if that is earlier. */
  endsOn: string | null;
};

const FEED_INFO = 'feed_info.txt';

/** An unreadable `feed_end_date` counts as missing, because a feed can be sold without one. */
export function readFeedEnd(files: FeedFiles, gtfs: Gtfs): FeedEnd {
  const lastDays = [...new Set(gtfs.trips.map(({ serviceId }) => serviceId))]
    .map((serviceId) => findLastDay(gtfs.services.get(serviceId)))
    .filter((day) => day !== null)
    .toSorted();
  const lastServiceDay = lastDays.at(-1) ?? null;
  const [info] = readTable({ file: FEED_INFO, contents: files.get(FEED_INFO), problems: collectProblems() });
  const endDate = info?.day('feed_end_date') ?? null;
  const isEarlier = endDate !== null && (lastServiceDay === null || endDate < lastServiceDay);
  return { lastServiceDay, endsOn: isEarlier ? endDate : lastServiceDay };
}

/**
 * Why no sailing runs from a day on, in a sentence; null if one does. Trips that are left out come before the calendar,
 * because the calendar may be right.
 */
export function explainNoService(gtfs: Gtfs, { lastServiceDay }: FeedEnd, today: string): string | null {
  if (lastServiceDay !== null && lastServiceDay >= today) return null;
  if (gtfs.routes.size === 0) return 'This feed has no ferry: see route_type in routes.txt.';
  const runs = (serviceIds: Iterable<string>) =>
    [...serviceIds].some((id) => (findLastDay(gtfs.services.get(id)) ?? '') >= today);
  const leftOut = gtfs.leftOut.filter(({ serviceIds }) => runs(serviceIds));
  if (leftOut.length > 0) {
    const reasons = leftOut.map(({ why, tripIds }) => describeSkipped(tripIds, why));
    return `No trip of this feed that runs from ${today} on can be sold. Left out: ${reasons.join('; ')}.`;
  }
  if (gtfs.trips.length === 0 && gtfs.leftOut.length === 0) return 'This feed has no trip of a ferry.';
  return `The calendar of this feed has expired: it has no service day from ${today} on.`;
}

function findLastDay(service: GtfsService | undefined): string | null {
  if (!service) return null;
  const added = [...service.added].filter((day) => !service.removed.has(day)).toSorted();
  const lastAdded = added.at(-1) ?? null;
  if (service.weekdays === 0) return lastAdded;
  for (let day = service.until; day >= service.from; day = addDays(day, -1)) {
    if (lastAdded !== null && day <= lastAdded) break;
    if (runsOn(service, day)) return day;
  }
  return lastAdded;
}
