import { ApiError } from './api-error.ts';

/** The client or job that expensive work is done for. */
export type Caller = {
  /** Customer id or network. Work with the same key waits in one queue, and the queues take turns. */
  key: string;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
};

export type WorkQueue = {
  /**
   * Runs the work when a slot is free. Work whose client disconnects while it waits is never started.
   * @throws {ApiError} server_busy when the queue or the part of the caller's key is full
   */
  run<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result>;
  /** Number of waiting tasks. */
  readonly waiting: number;
};

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
  /** The functions that start waiting tasks, by key, in the order in which the keys take turns. */
  const queues = new Map<string, (() => void)[]>();
  let running = 0;
  let waiting = 0;

  function waitForSlot({ key, signal }: Caller): Promise<void> {
    const queue = queues.get(key) ?? [];
    if (waiting >= bounds.waiting || queue.length >= bounds.waitingPerKey) throw busy();
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(start), 1);
        if (queue.length === 0) queues.delete(key);
        waiting -= 1;
        reject(busy());
      };
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      queue.push(start);
      queues.set(key, queue);
      waiting += 1;
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Gives the slot to the next key, which then moves to the end. */
  function startNext(): void {
    const [next] = queues;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [key, queue] = next;
    queues.delete(key);
    const start = queue.shift();
    if (queue.length > 0) queues.set(key, queue);
    waiting -= 1;
    start?.();
  }

  return {
    async run(caller, work) {
      if (caller.signal?.aborted) throw busy();
      if (running < bounds.slots) running += 1;
      else await waitForSlot(caller);
      try {
        return await work();
      } finally {
        startNext();
      }
    },
    get waiting() {
      return waiting;
    },
  };
}

/** Also thrown for a client that disconnected and does not read it. */
function busy(): ApiError {
  return new ApiError('server_busy', { retryAfter: RETRY_AFTER_SECONDS });
}
