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

type Options<Item> = {
  /** The row an item writes to: items of the same row are sent one after the other. By default all differ. */
  rowOf?: (item: Item) => unknown;
};

/**
 * Batches the items of concurrent requests into one statement: items of one turn of the event loop are sent together at
 * its end, and items that arrive meanwhile are sent together afterwards. A single request never waits.
 * @param send returns results in the order of the items; if it fails, each item is sent again separately, so that one
 * bad item does not fail the others
 */
export function batched<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
  { rowOf = () => ({}) }: Options<Item> = {},
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isSending = false;

  async function sendWaiting(): Promise<void> {
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      // The next statement is sent first, so that the database works while this process answers.
      const sent = sendBatch(batch).then((settle) => void setImmediate(settle));
      await waitAtMost(STALL_TIMEOUT_MS, sent);
    }
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

  /** @returns gives each item its result */
  async function sendBatch(batch: readonly Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const results = await send(batch.map(({ item }) => item));
      return () => {
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      };
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) {
        return () => {
          for (const { reject } of batch) reject(error);
        };
      }
      const settles = await Promise.all(batch.map((one) => sendBatch([one])));
      return () => {
        for (const settle of settles) settle();
      };
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
