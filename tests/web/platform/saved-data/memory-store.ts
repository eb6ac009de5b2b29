import type { UseStore } from 'idb-keyval';

/** An object store in memory, with requests and transactions that end later, as a browser's do. */
export function memoryStore(data = new Map<string, unknown>()): {
  use: UseStore;
  data: Map<string, unknown>;
} {
  const use = (async (_mode: IDBTransactionMode, work: (store: IDBObjectStore) => unknown) => {
    let open = 0;
    const transaction: { oncomplete: (() => void) | null; error: null } = { oncomplete: null, error: null };
    const end = () => {
      if (open === 0) transaction.oncomplete?.();
    };
    const request = (run: () => unknown) => {
      const asked: { result?: unknown; onsuccess: (() => void) | null } = { onsuccess: null };
      open += 1;
      setTimeout(() => {
        asked.result = run();
        asked.onsuccess?.();
        open -= 1;
        setTimeout(end);
      });
      return asked;
    };
    const store = {
      transaction,
      get: (name: string) => request(() => data.get(name)),
      put: (value: unknown, name: string) => request(() => void data.set(name, value)),
      delete: (name: string) => request(() => void data.delete(name)),
      clear: () => request(() => data.clear()),
      getAll: () => request(() => [...data.values()]),
      getAllKeys: () => request(() => [...data.keys()]),
    };
    const result = work(store as unknown as IDBObjectStore);
    // Also one of which nothing was asked ends.
    setTimeout(end);
    return result;
  }) as UseStore;
  return { use, data };
}
