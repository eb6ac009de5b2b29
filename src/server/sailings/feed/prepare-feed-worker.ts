import { serveRequests } from '#server/core/thread.ts';
import { FileError, type Problem } from '#server/csv/problems.ts';
import type { PlannedVoyage } from './departures.ts';
import { digestFiles, type FeedFiles, unzipFeed, zipFeed } from './feed-files.ts';
import { type Plan, type PlanRange, planFeed } from './plan.ts';

export type FeedSource = { files: FeedFiles } | { zip: string };
export type PrepareFeedInput = { source: FeedSource; range: PlanRange };

/** Consecutive service days of a plan, so that no step of an import handles all voyages at once. */
export type PlanPart = {
  /** The last service day of the previous part; null in the first part. */
  after: string | null;
  until: string;
  /** JSON of `PlannedVoyage[]`, parsed when the part is processed. */
  voyages: string;
};

export type PreparedFeed = {
  plan: Omit<Plan, 'voyages'>;
  parts: PlanPart[];
  digest: string;
  /** The archive in base64. */
  zip: string;
};

export type RefusedFeed = { problems: readonly Problem[]; count: number };

/** Requests have priority. */
const LOW_PRIORITY = 15;
/** A part consists of whole service days, and of at least this many voyages unless it is the last. */
const VOYAGES_PER_PART = 2000;

serveRequests(LOW_PRIORITY, ({ source, range }: PrepareFeedInput): PreparedFeed | RefusedFeed => {
  try {
    return prepare(source, range);
  } catch (error) {
    if (error instanceof FileError) return { problems: error.problems, count: error.count };
    throw error;
  }
});

function prepare(source: FeedSource, range: PlanRange): PreparedFeed {
  const files = 'zip' in source ? unzipFeed(Buffer.from(source.zip, 'base64')) : source.files;
  const { voyages, ...plan } = planFeed(files, range);
  const zip = 'zip' in source ? source.zip : Buffer.from(zipFeed(files)).toString('base64');
  return { plan, parts: splitByDay(voyages, plan.until), digest: digestFiles(files), zip };
}

/** @param voyages ordered by service day */
function splitByDay(voyages: readonly PlannedVoyage[], until: string): PlanPart[] {
  const parts: PlanPart[] = [];
  let start = 0;
  for (const [index, { serviceDate }] of voyages.entries()) {
    const isLastOfDay = voyages[index + 1]?.serviceDate !== serviceDate;
    const isFull = isLastOfDay && index + 1 - start >= VOYAGES_PER_PART;
    if (!isFull) continue;
    parts.push(createPart(parts.at(-1), serviceDate, voyages.slice(start, index + 1)));
    start = index + 1;
  }
  return [...parts, createPart(parts.at(-1), until, voyages.slice(start))];
}

function createPart(
  before: PlanPart | undefined,
  until: string,
  voyages: readonly PlannedVoyage[],
): PlanPart {
  return { after: before?.until ?? null, until, voyages: JSON.stringify(voyages) };
}
