import type { HttpContext } from './api.ts';
import { ApiError } from './api-error.ts';
import { networkOf } from './client-address.ts';

/** The caller on whose behalf expensive work waits. */
export type Caller = {
  /** Customer id or network. Work with the same key waits in one line, and the lines take turns. */
  key: string;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
};

export type WorkQueue = {
  /**
   * Runs the work in its turn. Work whose client disconnects while it waits is never started.
   * @throws {ApiError} server_busy when the queue or the key's line in it is full
   */
  run<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result>;
  /** Number of waiting tasks. */
  readonly waiting: number;
};

type Waiting = { start(): void };

/** Seconds after which a full queue has space again. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Limits CPU-intensive work that any caller can request.
 * @param bounds slots: how much runs at once; waiting: how much may wait, in total and under one key
 */
export function createWorkQueue(bounds: {
  slots: number;
  waiting: number;
  waitingPerKey: number;
}): WorkQueue {
  /** In the order in which the keys take turns. */
  const lines = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  function waitInLine({ key, signal }: Caller): Promise<void> {
    const line = lines.get(key) ?? [];
    if (waiting >= bounds.waiting || line.length >= bounds.waitingPerKey) throw busy();
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(entry), 1);
        if (line.length === 0) lines.delete(key);
        waiting -= 1;
        reject(busy());
      };
      const entry: Waiting = {
        start() {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      line.push(entry);
      lines.set(key, line);
      waiting += 1;
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Gives the slot to the next line, which then moves to the end. */
  function handOver(): void {
    const [next] = lines;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [key, line] = next;
    lines.delete(key);
    const entry = line.shift();
    if (line.length > 0) lines.set(key, line);
    waiting -= 1;
    entry?.start();
  }

  return {
    async run(caller, work) {
      if (caller.signal?.aborted) throw busy();
      if (running < bounds.slots) running += 1;
      else await waitInLine(caller);
      try {
        return await work();
      } finally {
        handOver();
      }
    },
    get waiting() {
      return waiting;
    },
  };
}

/** The caller of a request, identified by its network only. */
export function networkCaller(c: HttpContext): Caller {
  return { key: networkOf(c.var.remoteAddress), signal: c.req.raw.signal };
}

/** Also thrown for a client that disconnected and does not read it. */
function busy(): ApiError {
  return new ApiError('server_busy', { retryAfter: RETRY_AFTER_SECONDS });
}
