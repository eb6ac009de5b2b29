import { dehydrate, hydrate, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { createFloorRouter } from './screens.tsx';

/** The stack floor with its data kept in IndexedDB, by as little code as that takes. */
const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, gcTime: 86_400_000, retry: false } },
});

void start();

async function start(): Promise<void> {
  const database = await answerOf(openDatabase());
  const saved = await answerOf(storeOf(database, 'readonly').get('client'));
  if (saved) hydrate(client, saved);
  client.getQueryCache().subscribe(() => {
    // A failed refresh leaves what is known, here as well.
    const kept = dehydrate(client, { shouldDehydrateQuery: ({ state }) => state.data !== undefined });
    storeOf(database, 'readwrite').put(kept, 'client');
    const card = client.getQueryData<{ balance: string }>(['card']);
    if (card) localStorage.setItem('balance', card.balance);
  });
  createRoot(document.getElementById('root') as HTMLElement).render(
    <QueryClientProvider client={client}>
      <RouterProvider router={createFloorRouter()} />
    </QueryClientProvider>,
  );
}

// Opened once, it starts without a network: the least worker that does so.
navigator.serviceWorker?.register('/worker.js').catch(() => undefined);

function openDatabase(): IDBOpenDBRequest {
  const request = indexedDB.open('floor', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('queries');
  return request;
}

function storeOf(database: IDBDatabase, mode: IDBTransactionMode): IDBObjectStore {
  return database.transaction('queries', mode).objectStore('queries');
}

function answerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
