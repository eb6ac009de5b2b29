import type { PlannedVoyage } from '#server/sailings/feed/departures.ts';
import type { FeedFiles } from '#server/sailings/feed/feed-files.ts';
import * as feed from '#server/sailings/feed/plan.ts';

/** A plan with all its voyages, by service day. */
export type Plan = feed.Plan & { voyages: PlannedVoyage[] };

/** Plans a feed on this thread, with all voyages at once. */
export function planFeed(files: FeedFiles, range: feed.PlanRange): Plan {
  const voyages: PlannedVoyage[] = [];
  const plan = feed.planFeed(files, range, (ofDay) => voyages.push(...ofDay));
  return { ...plan, voyages };
}
