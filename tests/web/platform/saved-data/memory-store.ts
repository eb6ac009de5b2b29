import type { UseStore } from 'idb-keyval';

type Listener = (() => void) | null;

/**
 * An object store in memory. Requests and transactions end asynchronously, as in a browser. If `data` throws, the
 * request's error event comes first; the reason is available when the transaction aborts.
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
      const idbRequest = { result: undefined as unknown, onsuccess: null as Listener };
      open += 1;
      setTimeout(() => {
        try {
          idbRequest.result = run();
        } catch (error) {
          abort(error);
          return;
        }
        idbRequest.onsuccess?.();
        open -= 1;
        setTimeout(end);
      });
      return idbRequest;
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
    // A transaction without requests ends too.
    setTimeout(end);
    return result;
  }) as UseStore;
  return { use, data };
}
