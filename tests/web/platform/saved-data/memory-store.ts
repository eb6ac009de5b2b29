import type { UseStore } from 'idb-keyval';

type Listener = (() => void) | null;

/**
 * An object store in memory, with requests and transactions that end later, as a browser's do. Where `data` throws, the
 * request's error comes first, and with the transaction's end the reason.
 */
export function memoryStore(data = new Map<string, unknown>()): {
  use: UseStore;
  data: Map<string, unknown>;
} {
  const use = (async (_mode: IDBTransactionMode, work: (store: IDBObjectStore) => unknown) => {
    let open = 0;
    const transaction = {
      error: null as unknown,
      oncomplete: null as Listener,
      onerror: null as Listener,
      onabort: null as Listener,
    };
    const end = () => {
      if (open === 0) transaction.oncomplete?.();
    };
    const abort = (error: unknown) => {
      transaction.onerror?.();
      transaction.error = error;
      transaction.onabort?.();
    };
    const request = (run: () => unknown) => {
      const asked = { result: undefined as unknown, onsuccess: null as Listener };
      open += 1;
      setTimeout(() => {
        try {
          asked.result = run();
        } catch (error) {
          abort(error);
          return;
        }
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
