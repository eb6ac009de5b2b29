import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';

/** A cached value that is read again when it is stale. */
export type RefreshingCache<Value> = {
  /** The value; rejects with the read's error as long as no read has succeeded. */
  load(): Promise<Value>;
  /** Marks the value as stale. */
  expire(): void;
};

/** How long a caller waits for a fresh value if there is a stale one, in milliseconds. */
const PATIENCE_MS = 1_000;

/**
 * Caches a value and reads it again once it is older than `freshMs`, one read at a time. While the database is
 * unavailable or slow, the last value is served.
 * @param name name of the read in log lines
 */
export function createRefreshingCache<Value>(
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  { name, freshMs, read }: { name: string; freshMs: number; read: () => Promise<Value> },
): RefreshingCache<Value> {
  let last: { at: number; value: Value } | null = null;
  let reading: Promise<Value> | null = null;
  let expiries = 0;

  async function readAgain(): Promise<Value> {
    const now = clock.now().getTime();
    const expiriesBefore = expiries;
    // The value may predate an expiry during the read.
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
