import { createWorkerThread } from '#server/core/thread.ts';
import { FileError } from '#server/csv/problems.ts';
import type { PlanRange } from './plan.ts';
import type { FeedSource, PreparedFeed, PrepareFeedInput, RefusedFeed } from './prepare-feed-worker.ts';

const runOnThread = createWorkerThread<PrepareFeedInput, PreparedFeed | RefusedFeed>(
  new URL('./prepare-feed-worker.ts', import.meta.url),
  { niceness: 15, idleMs: 1_000 },
);

/**
 * Reads, validates, plans and packs a feed on a worker thread regardless of its size: a few lines of frequencies.txt
 * can define as many sailings as a large archive.
 * @throws {FileError} naming every problem
 */
export async function prepareFeed(source: FeedSource, range: PlanRange): Promise<PreparedFeed> {
  const answer = await runOnThread({ source, range });
  if ('problems' in answer) throw new FileError(answer.problems, answer.count);
  return answer;
}
