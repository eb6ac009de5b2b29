import type { RowLocks } from './row-locks.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

/** The most items in one statement, so that each statement stays quick. */
const MAX_ITEMS = 50;

/** A connection may be dead without an error; its statement delays the next one by at most this long. */
const STALL_TIMEOUT_MS = 1000;

type Waiting<Item, Result> = {
  item: Item;
  arrival: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

type Options<Item> = {
  /** The row an item writes to: items of the same row are sent one after the other. By default all differ. */
  rowOf?: (item: Item) => unknown;
  /** Rows that the statement locks for an item, which wait while a statement of another kind uses them. */
  locks?: { of: RowLocks; rowsOf: (item: Item) => readonly string[] };
};

/**
 * Batches the items of concurrent requests into one statement: items of one turn of the event loop are sent together at
 * its end, and items that arrive meanwhile are sent together afterwards. A single request never waits, requests that
 * shared a statement share their next one too, and concurrent buyers cost the database a fraction of the statements.
 * @param send returns results in the order of the items; if it fails, each item is sent again separately, so that one
 * bad item does not fail the others
 */
export function batched<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
  { rowOf = () => ({}), locks }: Options<Item> = {},
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isSending = false;

  async function sendWaiting(): Promise<void> {
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      const end = locks?.of.use(batch.flatMap(({ item }) => locks.rowsOf(item)));
      // The next statement is sent first, so that the database works while this process answers.
      const sent = sendBatch(batch).then((settle) => void setImmediate(settle));
      await waitAtMost(STALL_TIMEOUT_MS, sent);
      end?.();
    }
    isSending = false;
  }

  function takeBatch(): Waiting<Item, Result>[] {
    const batch = new Map<unknown, Waiting<Item, Result>>();
    const later: typeof waiting = [];
    for (const one of waiting) {
      const row = rowOf(one.item);
      const hasRoom = batch.size < MAX_ITEMS && !batch.has(row);
      if (hasRoom && mayBeSent(one)) batch.set(row, one);
      else later.push(one);
    }
    waiting = later;
    return [...batch.values()];
  }

  function mayBeSent({ item, arrival }: Waiting<Item, Result>): boolean {
    return locks === undefined || locks.of.mayUse(locks.rowsOf(item), arrival);
  }

  function start(begin: (work: () => void) => void): void {
    if (isSending || waiting.length === 0) return;
    isSending = true;
    begin(sendWaiting);
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

  // At once, before the statement that has just ended takes the rows again.
  locks?.of.onFree(() => start((work) => work()));
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, arrival: locks?.of.arrive() ?? 0, resolve, reject });
      start(setImmediate);
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
