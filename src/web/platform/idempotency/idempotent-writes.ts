import { ApiError, hasErrorCode } from '../api/api-error.ts';
import { createStore } from '../create-store.ts';

/** Idempotency keys of writes whose outcome is unknown, by purpose. */
export type IdempotencyKeys = Readonly<Record<string, string>>;

/** Where the keys are stored: it decides whether they survive a reload. */
export type KeyStore = { get: () => IdempotencyKeys; set: (keys: IdempotencyKeys) => void };

/**
 * Keeps one idempotency key per purpose. While the outcome of a write is unknown, the next write for the same purpose
 * repeats it under the same key; any definite answer, good or bad, ends it.
 */
export function createIdempotentWrites(store: KeyStore = createStore<IdempotencyKeys>({})) {
  /** The key of a purpose: created at its first write and kept until `end`. */
  function getKey(purpose: string): string {
    const existing = store.get()[purpose];
    if (existing !== undefined) return existing;
    const key = crypto.randomUUID();
    store.set({ ...store.get(), [purpose]: key });
    return key;
  }

  function end(purpose: string): void {
    const { [purpose]: _, ...others } = store.get();
    store.set(others);
  }

  /** Writes and keeps the key unless the write was refused: a repeated write continues the same operation. */
  async function open<Result>(purpose: string, write: (key: string) => Promise<Result>): Promise<Result> {
    try {
      return await write(getKey(purpose));
    } catch (error) {
      if (isOutcomeKnown(error)) end(purpose);
      throw error;
    }
  }

  async function run<Result>(purpose: string, write: (key: string) => Promise<Result>): Promise<Result> {
    const result = await open(purpose, write);
    end(purpose);
    return result;
  }

  return { getKey, open, run, end };
}

/** False if the server may or may not have done what was asked. */
export function isOutcomeKnown(error: unknown): boolean {
  if (!(error instanceof ApiError) || hasErrorCode(error, 'request_in_progress')) return false;
  return error.status >= 400 && error.status < 500;
}
