import { NOTES_CACHE, precacheName, STORAGE_TIMEOUT } from './cache-rules.ts';
import { broadcast } from './tabs.ts';
import type { WorkerContext } from './worker-context.ts';

type Stores = Pick<WorkerContext, 'caches' | 'config' | 'tabs'>;

/**
 * Caches a response, unless the worker was disabled and its caches deleted while the request was pending. A full or
 * broken disk loses the copy and has no other effect.
 */
export function cacheResponse(
  context: Stores,
  cacheName: string,
  key: string,
  response: Response,
): Promise<void> {
  return withDeadline(undefined, async () => {
    try {
      if (!(await context.caches.has(precacheName(context.config.build)))) return;
      await (await context.caches.open(cacheName)).put(key, response);
    } catch (error) {
      await reportStorageProblem(context, error);
    }
  });
}

/** Looks up one cache, or all of them if the name is null. Null also if the storage fails or times out. */
export function findCached(
  context: Pick<WorkerContext, 'caches'>,
  cacheName: string | null,
  key: string,
): Promise<Response | null> {
  const options = { ignoreVary: true, ...(cacheName === null ? {} : { cacheName }) };
  return withDeadline(null, async () => (await context.caches.match(key, options)) ?? null);
}

/** Reads state that `writeNote` stored. */
export async function findNote<Note>(
  context: Pick<WorkerContext, 'caches'>,
  name: string,
): Promise<Note | null> {
  const cached = await findCached(context, NOTES_CACHE, noteKey(name));
  return cached === null ? null : ((await cached.json()) as Note);
}

export function writeNote(context: Stores, name: string, note: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  return cacheResponse(context, NOTES_CACHE, noteKey(name), new Response(JSON.stringify(note), { headers }));
}

export async function reportStorageProblem(context: Stores, error: unknown): Promise<void> {
  if (error instanceof Error && error.name === 'QuotaExceededError')
    await broadcast(context, { v: 1, type: 'STORAGE', problem: 'quota' });
}

function noteKey(name: string): string {
  return `/__notes/${name}`;
}

/** Returns `fallback` if the storage fails or does not answer in time. */
export async function withDeadline<Value>(fallback: Value, work: () => Promise<Value>): Promise<Value> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<Value>((resolve) => {
    limit = setTimeout(() => resolve(fallback), STORAGE_TIMEOUT);
  });
  try {
    return await Promise.race([work(), tooLate]);
  } catch {
    return fallback;
  } finally {
    clearTimeout(limit);
  }
}
