import { isDatabaseUnavailable } from './unavailable.ts';

/** A statement stays small enough to be answered in a moment. */
const MOST = 50;

/** A connection may be dead without anybody having noticed: that holds up those who are in its statement, not all. */
const PATIENCE_MS = 1000;

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Makes one statement of what several requests want in the same moment: the first is sent at once, those that come
 * while it is on its way go together afterwards. Alone nobody waits, and a rush of buyers costs the database a
 * fraction of the statements.
 * @param send answers in the order it was asked; where it fails, each item is sent again alone, so that what is wrong
 * with one fails no other
 * @param rowOf what an item writes to: two that write to the same row go one after the other. Without it none do
 */
export function together<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
  rowOf: (item: Item) => unknown = () => ({}),
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isSending = false;

  async function sendWaiting(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) await atMost(PATIENCE_MS, sendBatch(takeBatch()));
    isSending = false;
  }

  function takeBatch(): Waiting<Item, Result>[] {
    const batch = new Map<unknown, Waiting<Item, Result>>();
    const later: typeof waiting = [];
    for (const one of waiting) {
      const row = rowOf(one.item);
      if (batch.size < MOST && !batch.has(row)) batch.set(row, one);
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
      if (!isSending) void sendWaiting();
    });
}

async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, end]);
  clearTimeout(timer);
}
