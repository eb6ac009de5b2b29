import { QueryClient } from '@tanstack/react-query';
import { camelCased } from '../api/case-conversion.ts';
import { apiAvailable, onRestored } from '../connection/connection.ts';
import { findPageData } from '../page-config.ts';
import { onSessionCleared } from '../session/session.ts';
import { CATALOGUE_KEY } from './queries.ts';

const FRESH_FOR = 30_000;
const READ_RETRIES = 1;

/** Writes do not wait for a connection: offline they fail at once. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: FRESH_FOR,
        retry: (count, error) => count < READ_RETRIES && isPassing(error) && apiAvailable.get(),
        refetchOnReconnect: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  const data = findPageData();
  if (data !== null) {
    client.setQueryData(CATALOGUE_KEY, camelCased(data.catalogue), {
      updatedAt: cameFromWorker() ? 1 : Date.now(),
    });
  }
  return client;
}

/** Clears the cache when the owner changes, and refetches when the API returns. */
export function attachQueryClient(client: QueryClient): void {
  onSessionCleared(() => client.clear());
  onRestored(() => client.invalidateQueries());
}

/** The worker's copy of the page may be days old. */
function cameFromWorker(): boolean {
  if (typeof performance.getEntriesByType !== 'function') return false;
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation !== undefined && 'workerStart' in navigation && Number(navigation.workerStart) > 0;
}

/** True for errors that a retry may fix. */
function isPassing(error: unknown): boolean {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : 0;
  return typeof status === 'number' && (status === 0 || status >= 500);
}
