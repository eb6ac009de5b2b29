import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits before a retry with full jitter: a random part of a time that doubles with each failure, so that callers that
 * failed together do not retry together.
 * @param tries number of failures, from 1
 * @param times milliseconds: `first` after the first failure, at most `longest`
 */
export async function backOff(
  tries: number,
  { first, longest }: { first: number; longest: number },
): Promise<void> {
  const most = Math.min(longest, first * 2 ** (tries - 1));
  await delay(most * (0.5 + Math.random() / 2));
}
