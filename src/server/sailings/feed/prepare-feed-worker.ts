import { FileError, type Problem } from '#server/csv/problems.ts';
import type { PlannedVoyage } from './departures.ts';
import {
  digestFiles,
  type FeedFiles,
  readUpload,
  type UploadedFiles,
  unzipFeed,
  zipFeed,
} from './feed-files.ts';
import { packVoyages } from './packed-voyages.ts';
import { type Plan, type PlanRange, planFeed } from './plan.ts';

/** Files; an archive in base64; or an uploaded one, and that of the current feed, of which it may replace a part. */
export type FeedSource =
  | { files: FeedFiles }
  | { zip: string }
  | { upload: string; currentZip: string | null };
export type PrepareFeedInput = { source: FeedSource; range: PlanRange };

/** Consecutive service days of a plan, so that no step of an import handles all voyages at once. */
export type PlanPart = {
  /** The last service day of the previous part; null in the first part. */
  after: string | null;
  until: string;
  /** Compressed JSON of `PlannedVoyage[]`: all voyages at once would take a multiple of the memory. */
  voyages: Uint8Array;
};

export type PreparedFeed = {
  plan: Plan;
  parts: PlanPart[];
  digest: string;
  /** The archive in base64. */
  zip: string;
  /** Null: the feed was not uploaded. */
  upload: UploadedFiles | null;
};

export type RefusedFeed = { problems: readonly Problem[]; count: number };

/** A part consists of whole service days, and of at least this many sailings unless it is the last. */
const SAILINGS_PER_PART = 2500;

export function run({ source, range }: PrepareFeedInput): PreparedFeed | RefusedFeed {
  try {
    return prepare(source, range);
  } catch (error) {
    if (error instanceof FileError) return { problems: error.problems, count: error.count };
    throw error;
  }
}

function prepare(source: FeedSource, range: PlanRange): PreparedFeed {
  const { files, upload = null } = readSource(source);
  const parts: PlanPart[] = [];
  let open: PlannedVoyage[] = [];
  const close = (until: string) => {
    parts.push({ after: parts.at(-1)?.until ?? null, until, voyages: packVoyages(open) });
    open = [];
  };
  const plan = planFeed(files, range, (ofDay) => {
    open = [...open, ...ofDay];
    const sailings = open.reduce((sum, voyage) => sum + voyage.sailings.length, 0);
    if (sailings >= SAILINGS_PER_PART) close(ofDay[0]?.serviceDate ?? '');
  });
  close(plan.until);
  const zip = 'zip' in source ? source.zip : Buffer.from(zipFeed(files)).toString('base64');
  return { plan, parts, digest: digestFiles(files), zip, upload };
}

function readSource(source: FeedSource): { files: FeedFiles; upload?: UploadedFiles } {
  if ('files' in source) return source;
  const unzip = (zip: string) => unzipFeed(Buffer.from(zip, 'base64'));
  if ('zip' in source) return { files: unzip(source.zip) };
  const current = source.currentZip === null ? new Map() : unzip(source.currentZip);
  return readUpload(Buffer.from(source.upload, 'base64'), current);
}
