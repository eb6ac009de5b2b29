import type { Context } from 'hono';
import type { ApiEnv } from './api.ts';
import { ApiError } from './api-error.ts';
import { networkOf } from './client-address.ts';

/** On whose behalf expensive work waits. */
export type Turn = {
  /** Work under one key waits in one line, and the lines take turns: a customer's id, or a network. */
  key: string;
  /** Aborted when the caller disconnects. */
  signal?: AbortSignal;
};

export type WorkQueue = {
  /**
   * Runs the work in its turn. Work whose caller disconnects while it waits is never started.
   * @throws {ApiError} server_busy when the queue or the key's line in it is full
   */
  run<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result>;
  /** How many pieces of work wait for their turn. */
  readonly waiting: number;
};

type Waiting = { start(): void };

/** Seconds after which a queue that was full has room again. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Bounds work that takes a processor core for a while and that any caller can ask for.
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

  function waitInLine({ key, signal }: Turn): Promise<void> {
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

  /** Hands the slot over to the next line, which then goes to the end of all lines. */
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
    async run(turn, work) {
      if (turn.signal?.aborted) throw busy();
      if (running < bounds.slots) running += 1;
      else await waitInLine(turn);
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

/** The turn of a request whose network is all that is known of its caller. */
export function turnOfNetwork(c: Context<ApiEnv>): Turn {
  return { key: networkOf(c.var.remoteAddress), signal: c.req.raw.signal };
}

/** Also for a caller who disconnected, who does not read it. */
function busy(): ApiError {
  return new ApiError('server_busy', { retryAfter: RETRY_AFTER_SECONDS });
}
