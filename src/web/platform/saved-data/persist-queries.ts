import {
  type DehydratedState,
  hydrate,
  type Query,
  type QueryCacheNotifyEvent,
  type QueryClient,
} from '@tanstack/react-query';
import { hasErrorCode } from '../api/api-error.ts';
import { getSavedVersion } from '../query/query-keys.ts';
import { report } from '../reporting/reporting.ts';
import { createPersister, type EncryptorSource } from './persister.ts';
import type { Records } from './records.ts';
import { findExpiry, type PersistScope } from './saved-query.ts';

export type PersistedQueries = {
  /** Resolves when everything that can be restored is in the client. Never rejects. */
  restored: Promise<void>;
  /** Writes the changes since the last time. Never rejects. */
  flush: () => Promise<void>;
  /** Reads a record that another tab wrote. */
  take: (name: string) => Promise<void>;
  /** Stops writing. */
  stop: () => void;
};

export type PersistQueriesOptions = {
  records: Records;
  findEncryptor: EncryptorSource;
  /** All records, if they are being read already. */
  stored?: Promise<ReadonlyMap<string, unknown>> | undefined;
  scope: PersistScope;
  /** False once the owner has changed. */
  mayWrite: () => boolean;
  onSaved?: (name: string) => void;
};

/** Milliseconds. Writes are batched but soon, because a phone may end the app at any moment. */
const SAVE_DELAY = 20;
const SAVE_INTERVAL = 250;

const RESTORED = { defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } } };

/**
 * Restores the saved queries of a scope, and saves them when they change. If the storage fails or hangs, only saving
 * stops.
 */
export function persistQueries(queryClient: QueryClient, options: PersistQueriesOptions): PersistedQueries {
  const { scope, mayWrite, onSaved = () => undefined } = options;
  const cache = queryClient.getQueryCache();
  const persister = createPersister({ ...options, cache, onSaved });
  const stopped = new AbortController();
  const isStopped = () => stopped.signal.aborted;
  let lastSave = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let queue = Promise.resolve();

  function giveUp(error: unknown): void {
    stop();
    report(error ?? new Error('Saved data could not be written.'), { level: 'warning' });
  }

  const restored = load(() => persister.restore(options.stored));

  /** Shows nothing if the customer signed out while it was read, and no data that the API has said to be gone. */
  async function load(read: () => Promise<DehydratedState['queries']>): Promise<void> {
    try {
      const queries = await read();
      if (!mayWrite()) return;
      const present = queries.filter(({ queryHash }) => !isGone(cache.get(queryHash)?.state.error));
      hydrate(queryClient, { queries: present }, RESTORED);
    } catch (error) {
      giveUp(error);
    }
  }

  async function save(): Promise<void> {
    await restored;
    lastSave = Date.now();
    try {
      for (const query of cache.getAll().filter((each) => shouldSave(each, scope))) {
        if (isStopped() || !mayWrite()) return;
        await persister.save(query);
      }
    } catch (error) {
      if (!isStopped()) giveUp(error);
    }
  }

  function saveSoon(query: Query): void {
    if (timer !== undefined || isStopped() || !shouldSave(query, scope)) return;
    timer = setTimeout(() => void flush(), Math.max(SAVE_DELAY, lastSave + SAVE_INTERVAL - Date.now()));
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    queue = queue.then(save);
    return queue;
  }

  function stop(): void {
    clearTimeout(timer);
    stopped.abort();
    unsubscribe();
  }

  const unsubscribe = cache.subscribe((event) => {
    const { type, query } = event;
    if (isGoneError(event) && query.meta?.persist === scope && !isStopped()) {
      queue = queue.then(() => persister.drop(query.queryHash)).catch(giveUp);
    }
    if (type === 'updated' || type === 'observerAdded') saveSoon(query);
  });
  // A query that a screen has loaded before this was called has no event to come.
  for (const query of cache.getAll()) saveSoon(query);
  const flushWhenHidden = () => {
    if (document.visibilityState === 'hidden') void flush();
  };
  const { signal } = stopped;
  document.addEventListener('visibilitychange', flushWhenHidden, { signal });
  window.addEventListener('pagehide', () => void flush(), { signal });

  return {
    restored,
    flush,
    stop,
    async take(name) {
      await restored;
      if (!isStopped()) await load(() => persister.read(name));
    },
  };
}

/** A query stays saved if a refetch fails, unless the API says that the data no longer exists for this owner. */
function shouldSave(query: Query, scope: PersistScope): boolean {
  const { meta, queryKey, state } = query;
  return (
    meta?.persist === scope &&
    getSavedVersion(queryKey) !== null &&
    state.data !== undefined &&
    findExpiry(query) !== null &&
    !isGone(state.error)
  );
}

function isGoneError(event: QueryCacheNotifyEvent): boolean {
  return event.type === 'updated' && event.action.type === 'error' && isGone(event.action.error);
}

/** By the API's error code, because a captive portal may answer 404 to anything. */
function isGone(error: unknown): boolean {
  return hasErrorCode(error, 'not_found');
}
