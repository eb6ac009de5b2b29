import { createStore, entries, promisifyRequest, type UseStore } from 'idb-keyval';
import type { Encrypted } from './encryption.ts';

/** One query's data, or one screen's snapshot, as it lies on the device. */
export type SavedRecord = Encrypted & {
  /** The version of the data; another version is not read. */
  schema: number;
  tag: string;
  /** When the data came, in milliseconds; a device's clock may have been wrong. */
  at: number;
  /** When it is of no more use, in milliseconds. */
  until: number | null;
};

export type Records = {
  all(): Promise<Map<string, unknown>>;
  get(names: readonly string[]): Promise<unknown[]>;
  /** Keeps a value unless there is one: answers the one that is there then. */
  keep(name: string, value: unknown): Promise<unknown>;
  /**
   * In one transaction, so that an older tab cannot overwrite what a newer one saved, nor a tab of an older release
   * what it cannot read. `mayWrite` is asked inside it: what was begun before a sign-out must not bring anything back
   * after it.
   */
  putNewer(news: ReadonlyMap<string, SavedRecord>, mayWrite: () => boolean): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
  clear(): Promise<void>;
};

/** How long anything is kept unless it says that it is of use for less. */
export const KEPT_FOR = 30 * 24 * 60 * 60_000;

/**
 * Longer than any healthy storage takes; a browser whose storage hangs never answers at all. With what the start waits
 * before it, such a storage costs a second and a half at most.
 */
const DEADLINE = 1300;

export class StorageHangs extends Error {
  override readonly name = 'StorageHangs';
}

export type RecordsOptions = { openStore?: () => UseStore; deadline?: number; now?: () => number };

/**
 * A database of this origin. After one operation that was never answered nothing is asked of it again in this
 * page's life, because what hangs holds up all that comes after it.
 */
export function openRecords(database: string, options: RecordsOptions = {}): Records {
  const {
    openStore = () => createStore(database, 'records'),
    deadline = DEADLINE,
    now = () => Date.now(),
  } = options;
  let store: UseStore | null = null;
  let hangs = false;

  async function run<Result>(work: (store: UseStore) => Promise<Result>): Promise<Result> {
    if (hangs) throw new StorageHangs(`${database} does not answer.`);
    try {
      return await within(work);
    } catch (error) {
      if (!isClosed(error)) throw error;
      // Browsers close connections of pages in the background; a new one works.
      store = null;
      return await within(work);
    }
  }

  async function within<Result>(work: (store: UseStore) => Promise<Result>): Promise<Result> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        hangs = true;
        reject(new StorageHangs(`${database} did not answer in ${deadline} ms.`));
      }, deadline);
    });
    try {
      store ??= openStore();
      return await Promise.race([work(store), limit]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    all: () => run(async (use) => new Map<string, unknown>(await entries<string, unknown>(use))),
    get: (names) =>
      run((use) =>
        use('readonly', (records) =>
          Promise.all(names.map((name) => promisifyRequest<unknown>(records.get(name)))),
        ),
      ),
    keep: (name, value) => run((use) => use('readwrite', (records) => addOnce(records, name, value))),
    putNewer: (news, mayWrite) =>
      run((use) =>
        use('readwrite', (records) => {
          for (const [name, record] of news) putIfNewer(records, name, record, mayWrite, now());
          return endOf(records.transaction);
        }),
      ),
    remove: (names) =>
      run((use) =>
        use('readwrite', (records) => {
          for (const name of names) records.delete(name);
          return endOf(records.transaction);
        }),
      ),
    clear: () =>
      run((use) =>
        use('readwrite', (records) => {
          records.clear();
          return endOf(records.transaction);
        }),
      ),
  };
}

export function isSavedRecord(value: unknown): value is SavedRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { schema, tag, at, until, iv, ciphertext } = value as Partial<SavedRecord>;
  return (
    typeof schema === 'number' &&
    typeof tag === 'string' &&
    typeof at === 'number' &&
    (until === null || typeof until === 'number') &&
    iv instanceof Uint8Array &&
    ciphertext instanceof ArrayBuffer
  );
}

/**
 * Rejects once the transaction is undone, not at the error of a request before: why is known only then, and that a
 * device is full must be.
 */
function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

async function addOnce(records: IDBObjectStore, name: string, value: unknown): Promise<unknown> {
  const known = records.get(name);
  known.onsuccess = () => {
    if (known.result === undefined) records.put(value, name);
  };
  await endOf(records.transaction);
  return known.result ?? value;
}

function putIfNewer(
  records: IDBObjectStore,
  name: string,
  record: SavedRecord,
  mayWrite: () => boolean,
  now: number,
): void {
  const known = records.get(name);
  known.onsuccess = () => {
    const old: unknown = known.result;
    if ((!isSavedRecord(old) || isNewer(record, old, now)) && mayWrite()) records.put(record, name);
  };
}

function isNewer(record: SavedRecord, old: SavedRecord, now: number): boolean {
  if (record.schema !== old.schema) return record.schema > old.schema;
  // A stamp from the future is a clock that was wrong: it is older than anything.
  return old.at > now || old.at < record.at;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidStateError';
}
