import { isDatabaseUnavailable } from './unavailable.ts';

/** The most items in one statement, so that each statement stays quick. */
const MAX_ITEMS = 50;

/** A connection may be dead without an error; its statement delays the next one by at most this long. */
const STALL_TIMEOUT_MS = 1000;

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Batches the items of concurrent requests into one statement: items of one turn of the event loop are sent together at
 * its end, and items that arrive meanwhile are sent together afterwards. A single request never waits, requests that
 * shared a statement share their next one too, and concurrent buyers cost the database a fraction of the statements.
 * @param send returns results in the order of the items; if it fails, each item is sent again separately, so that one
 * bad item does not fail the others
 * @param rowOf the row an item writes to: items of the same row are sent one after the other. By default all differ
 */
export function batched<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
  rowOf: (item: Item) => unknown = () => ({}),
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isSending = false;

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) await waitAtMost(STALL_TIMEOUT_MS, sendBatch(takeBatch()));
    isSending = false;
  }

  function takeBatch(): Waiting<Item, Result>[] {
    const batch = new Map<unknown, Waiting<Item, Result>>();
    const later: typeof waiting = [];
    for (const one of waiting) {
      const row = rowOf(one.item);
      if (batch.size < MAX_ITEMS && !batch.has(row)) batch.set(row, one);
      else later.push(one);
    }
    waiting = later;
    return [...batch.values()];
  }

  async function sendBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await send(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && !isDatabaseUnavailable(error))
        await Promise.all(batch.map((one) => sendBatch([one])));
      else for (const { reject } of batch) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isSending) return;
      isSending = true;
      setImmediate(sendWaiting);
    });
}

async function waitAtMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, end]);
  clearTimeout(timer);
}
