import { createStore, entries, promisifyRequest, type UseStore } from 'idb-keyval';
import type { Encrypted } from './encryption.ts';

/** A stored record: a query's data or a screen's snapshot. */
export type SavedRecord = Encrypted & {
  /** The version of the data. Other versions are not read. */
  schema: number;
  tag: string;
  /** When the data was fetched, in epoch milliseconds by this device's clock. */
  at: number;
  /** When the data expires, in epoch milliseconds. */
  until: number | null;
};

export type Records = {
  all(): Promise<Map<string, unknown>>;
  get(names: readonly string[]): Promise<unknown[]>;
  /** Stores a value unless there is one. Returns the stored value. */
  addOnce(name: string, value: unknown): Promise<unknown>;
  /**
   * Runs in one transaction, so that an older tab cannot overwrite newer data, nor a tab of an older release data
   * that it cannot read. `mayWrite` is checked inside, so that a sign-out stops pending writes.
   */
  putNewer(name: string, record: SavedRecord, mayWrite: () => boolean): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
  clear(): Promise<void>;
};

/** Records without an earlier expiry are kept for 30 days. */
export const MAX_AGE = 30 * 24 * 60 * 60_000;

/**
 * Milliseconds, longer than any healthy storage needs. Together with the other waits at the start, a hanging storage
 * costs 1.5 s at most.
 */
const TIMEOUT = 1150;

export class StorageHangs extends Error {
  override readonly name = 'StorageHangs';
}

export type RecordsOptions = { openStore?: () => UseStore; deadline?: number; now?: () => number };

/**
 * Opens a database of this origin. After one operation without an answer, the page stops using it, because a hanging
 * operation blocks all later ones.
 */
export function openRecords(database: string, options: RecordsOptions = {}): Records {
  const {
    openStore = () => createStore(database, 'records'),
    deadline = TIMEOUT,
    now = () => Date.now(),
  } = options;
  let store: UseStore | null = null;
  let hangs = false;

  async function run<Result>(work: (store: UseStore) => Promise<Result>): Promise<Result> {
    if (hangs) throw new StorageHangs(`${database} does not answer.`);
    try {
      return await withDeadline(work);
    } catch (error) {
      if (!isClosed(error)) throw error;
      // Browsers close connections of background pages. A new one works.
      store = null;
      return await withDeadline(work);
    }
  }

  async function withDeadline<Result>(work: (store: UseStore) => Promise<Result>): Promise<Result> {
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

  function write(work: (records: IDBObjectStore) => void): Promise<void> {
    return run((use) =>
      use('readwrite', (records) => {
        work(records);
        return waitForEnd(records.transaction);
      }),
    );
  }

  return {
    all: () => run(async (use) => new Map<string, unknown>(await entries<string, unknown>(use))),
    get: (names) =>
      run((use) =>
        use('readonly', (records) =>
          Promise.all(names.map((name) => promisifyRequest<unknown>(records.get(name)))),
        ),
      ),
    addOnce: (name, value) => run((use) => use('readwrite', (records) => addOnce(records, name, value))),
    putNewer: (name, record, mayWrite) =>
      write((records) => putIfNewer(records, name, record, mayWrite, now())),
    remove: (names) =>
      write((records) => {
        for (const name of names) records.delete(name);
      }),
    clear: () => write((records) => void records.clear()),
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
 * Rejects when the transaction has aborted, not at the first failed request: only then is the cause known, such as a
 * full device.
 */
function waitForEnd(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

async function addOnce(records: IDBObjectStore, name: string, value: unknown): Promise<unknown> {
  const existing = records.get(name);
  existing.onsuccess = () => {
    if (existing.result === undefined) records.put(value, name);
  };
  await waitForEnd(records.transaction);
  return existing.result ?? value;
}

function putIfNewer(
  records: IDBObjectStore,
  name: string,
  record: SavedRecord,
  mayWrite: () => boolean,
  now: number,
): void {
  const existing = records.get(name);
  existing.onsuccess = () => {
    const old: unknown = existing.result;
    if ((!isSavedRecord(old) || isNewer(record, old, now)) && mayWrite()) records.put(record, name);
  };
}

function isNewer(record: SavedRecord, old: SavedRecord, now: number): boolean {
  if (record.schema !== old.schema) return record.schema > old.schema;
  // A time in the future comes from a wrong clock and counts as older than any other.
  return old.at > now || old.at < record.at;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidStateError';
}
