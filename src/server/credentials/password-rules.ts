import {
  checkPasswordLength,
  getEstimatedPart,
  listGuessableWords,
  PASSWORD_SCORE,
} from '#domain/password-rule.ts';
import type { Context } from '#server/context.ts';
import { createWorkerThread } from '#server/core/thread.ts';
import { ApiError } from '#server/http/api-error.ts';
import { type Caller, createWorkQueue } from '#server/http/work-queue.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { limitPasswordWork, type PasswordCaller } from './password-limits.ts';
import type { StrengthInput } from './password-strength-worker.ts';

/**
 * Requires a good new password: long enough, and hard to guess for an attacker who knows common passwords, the operator
 * and the owner. There are no rules about its characters.
 * @throws {ApiError} password_too_short, password_too_long, password_too_common, rate_limited, server_busy
 */
export async function requireGoodPassword(
  context: Pick<Context, 'db' | 'config' | 'vault' | 'clock'>,
  {
    caller,
    password,
    email,
    name,
  }: { caller: PasswordCaller; password: string; email: string; name: string },
): Promise<void> {
  const refusal = checkPasswordLength(password, context.config.passwordMinLength);
  if (refusal) throw new ApiError(refusal, { field: 'password' });
  await limitPasswordWork(context, caller);
  const { brand } = await loadWebSettings(context);
  const words = listGuessableWords({ brand: brand.name, email, name });
  const score = await estimateStrength({ password: getEstimatedPart(password), words }, caller);
  if (score < PASSWORD_SCORE) throw new ApiError('password_too_common', { field: 'password' });
}

/** On a thread, because loading and searching the word lists can take a tenth of a second. */
const runOnThread = createWorkerThread<StrengthInput, number>(
  new URL('./password-strength-worker.ts', import.meta.url),
  // Ticket purchases have priority. Much less of it would let a person who signs up wait half a minute on a busy machine.
  { niceness: 5, idleMs: 60_000 },
);

const strengthQueue = createWorkQueue({ slots: 1, waiting: 32, waitingPerKey: 8 });

/**
 * How hard a password is to guess, from 0 to 4, estimated on a worker thread.
 * @param input the password (at most 100 characters of it) and words that an attacker would try first
 * @throws {ApiError} server_busy
 */
function estimateStrength(input: StrengthInput, caller: Caller): Promise<number> {
  return strengthQueue.run(caller, () => runOnThread(input));
}
