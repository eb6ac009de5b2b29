import { createWorkerThread } from '../core/thread.ts';
import { type Caller, createWorkQueue } from '../http/work-queue.ts';
import type { StrengthInput } from './password-strength-worker.ts';

/** On a thread, because loading and searching the word lists can take a tenth of a second. */
const runOnThread = createWorkerThread<StrengthInput, number>(
  new URL('./password-strength-worker.ts', import.meta.url),
  'estimates passwords',
);

export const strengthQueue = createWorkQueue({ slots: 1, waiting: 32, waitingPerKey: 8 });

/**
 * How hard a password is to guess, from 0 to 4, estimated on a worker thread.
 * @param input the password (at most 100 characters of it) and words that an attacker would try first
 * @throws {ApiError} server_busy
 */
export function estimateStrength(input: StrengthInput, caller: Caller): Promise<number> {
  return strengthQueue.run(caller, () => runOnThread(input));
}
