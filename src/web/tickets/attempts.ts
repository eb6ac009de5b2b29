import { ApiError, hasErrorCode } from '#web/platform/api/api-error.ts';
import { changeDraft, draftStore } from './draft.ts';

/**
 * One write under one idempotency key. While its outcome is not known, the next try for the same purpose is the
 * same write, also after a reload; an answer, good or bad, ends it.
 */
export async function runAttempt<Result>(
  purpose: string,
  run: (idempotencyKey: string) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await run(keepAttempt(purpose));
    endAttempt(purpose);
    return result;
  } catch (error) {
    if (isAnswered(error)) endAttempt(purpose);
    throw error;
  }
}

/** No answer that could be relied on: the server may or may not have done it. */
export function isAnswered(error: unknown): boolean {
  if (!(error instanceof ApiError) || hasErrorCode(error, 'request_in_progress')) return false;
  return error.status >= 400 && error.status < 500;
}

/** The key of a purpose, made at its first try and kept until the attempt is ended. */
export function keepAttempt(purpose: string): string {
  const { attempts } = draftStore.get();
  const known = attempts[purpose];
  if (known !== undefined) return known;
  const key = crypto.randomUUID();
  changeDraft({ attempts: { ...attempts, [purpose]: key } });
  return key;
}

export function endAttempt(purpose: string): void {
  const { [purpose]: _, ...attempts } = draftStore.get().attempts;
  changeDraft({ attempts });
}
