import { serveRequests } from '#server/core/thread.ts';
import { FileError, type Problem } from '#server/csv/problems.ts';
import type { PlannedSailing } from './departures.ts';
import { digestOf, type FeedFiles, unzipFeed, zipFeed } from './feed-files.ts';
import { type Plan, type PlanRange, planFeed } from './plan.ts';

export type FeedSource = { files: FeedFiles } | { zip: string };
export type PrepareFeedInput = { source: FeedSource; range: PlanRange };

/** Consecutive service days of a plan, so that no step of an import handles all sailings at once. */
export type PlanPart = {
  /** The last service day of the previous part; null in the first part. */
  after: string | null;
  until: string;
  /** JSON of `PlannedSailing[]`, parsed when the part is processed. */
  sailings: string;
};

export type PreparedFeed = {
  plan: Omit<Plan, 'sailings'>;
  parts: PlanPart[];
  digest: string;
  /** The archive in base64. */
  zip: string;
};

export type RefusedFeed = { problems: readonly Problem[]; count: number };

/** Requests have priority. */
const LOW_PRIORITY = 15;
/** A part consists of whole service days, and of at least this many sailings unless it is the last. */
const SAILINGS_PER_PART = 2000;

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
  const { sailings, ...plan } = planFeed(files, range);
  const zip = 'zip' in source ? source.zip : Buffer.from(zipFeed(files)).toString('base64');
  return { plan, parts: splitByDay(sailings, plan.until), digest: digestOf(files), zip };
}

/** @param sailings ordered by service day */
function splitByDay(sailings: readonly PlannedSailing[], until: string): PlanPart[] {
  const parts: PlanPart[] = [];
  let start = 0;
  for (const [index, { serviceDate }] of sailings.entries()) {
    const isLastOfDay = sailings[index + 1]?.serviceDate !== serviceDate;
    const isFull = isLastOfDay && index + 1 - start >= SAILINGS_PER_PART;
    if (!isFull) continue;
    parts.push(createPart(parts.at(-1), serviceDate, sailings.slice(start, index + 1)));
    start = index + 1;
  }
  return [...parts, createPart(parts.at(-1), until, sailings.slice(start))];
}

function createPart(
  before: PlanPart | undefined,
  until: string,
  sailings: readonly PlannedSailing[],
): PlanPart {
  return { after: before?.until ?? null, until, sailings: JSON.stringify(sailings) };
}
