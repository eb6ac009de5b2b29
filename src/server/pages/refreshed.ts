import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { describeError } from '../log.ts';

/** A value that is read again once it is older than its time. */
export type Refreshed<Value> = {
  /** The value; throws what reading threw as long as no read has succeeded. */
  load(): Promise<Value>;
  /** From now on the value is read again, whatever its age. */
  expire(): void;
};

/** How long a caller waits for a newer value when there is an older one, in milliseconds. */
const PATIENCE_MS = 1_000;

/**
 * Reads a value again once it is older than `freshMs`, one read at a time. While the database is away or slow, the last
 * value stands in.
 * @param name what the log calls a failed read
 */
export function createRefreshed<Value>(
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  { name, freshMs, read }: { name: string; freshMs: number; read: () => Promise<Value> },
): Refreshed<Value> {
  let last: { at: number; value: Value } | null = null;
  let reading: Promise<Value> | null = null;
  let expiries = 0;

  async function readAgain(): Promise<Value> {
    const now = clock.now().getTime();
    const expiriesBefore = expiries;
    // What expired while it was read may be of before the change.
    const at = () => (expiries === expiriesBefore ? now : Number.NEGATIVE_INFINITY);
    try {
      const value = await read();
      last = { at: at(), value };
    } catch (error) {
      if (last === null) throw error;
      log.error(`${name} failed`, describeError(error));
      last = { at: at(), value: last.value };
    } finally {
      if (expiries === expiriesBefore) reading = null;
    }
    return last.value;
  }

  return {
    async load() {
      if (last !== null && clock.now().getTime() - last.at < freshMs) return last.value;
      reading ??= readAgain();
      if (last === null || last.at === Number.NEGATIVE_INFINITY) return reading;
      return Promise.race([reading, delay(PATIENCE_MS, last.value, { ref: false })]);
    },
    expire() {
      expiries += 1;
      reading = null;
      if (last !== null) last.at = Number.NEGATIVE_INFINITY;
    },
  };
}
