import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits before a repetition: a random part of a time that doubles with each failed try, so that callers who failed
 * together do not meet again.
 * @param tries how many have failed, from 1
 * @param times milliseconds: `first` after the first failure, never more than `longest`
 */
export async function backOff(
  tries: number,
  { first, longest }: { first: number; longest: number },
): Promise<void> {
  const most = Math.min(longest, first * 2 ** (tries - 1));
  await delay(most * (0.5 + Math.random() / 2));
}
