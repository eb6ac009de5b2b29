import type { WorkerContext } from './worker-context.ts';
import { broadcast } from './tabs.ts';
import { precacheName, NOTES_CACHE, STORAGE_TIMEOUT } from './cache-rules.ts';

type Stores = Pick<WorkerContext, 'caches' | 'config' | 'tabs'>;

/**
 * Keeps an answer while this build's files stand: after everything was deleted, a request that was still under
 * way must not begin again what was ended. A full or broken disk costs the copy and nothing else.
 */
export function cacheResponse(context: Stores, cacheName: string, key: string, response: Response): Promise<void> {
  return withDeadline(undefined, async () => {
    try {
      if (!(await context.caches.has(precacheName(context.config.build)))) return;
      await (await context.caches.open(cacheName)).put(key, response);
    } catch (error) {
      await reportStorageProblem(context, error);
    }
  });
}

/** What is kept under an address, in one cache or any; null also when the disk fails or does not answer. */
export function findCached(
  context: Pick<WorkerContext, 'caches'>,
  cacheName: string | null,
  key: string,
): Promise<Response | null> {
  const options = { ignoreVary: true, ...(cacheName === null ? {} : { cacheName }) };
  return withDeadline(null, async () => (await context.caches.match(key, options)) ?? null);
}

/** What the worker remembers from one life to the next, as it wrote it. */
export async function findNote<Note>(context: Pick<WorkerContext, 'caches'>, name: string): Promise<Note | null> {
  const kept = await findCached(context, NOTES_CACHE, noteKey(name));
  return kept === null ? null : ((await kept.json()) as Note);
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

/** A browser's storage may fail, and has been seen to hang for ever: then the network has to do. */
export async function withDeadline<Value>(otherwise: Value, work: () => Promise<Value>): Promise<Value> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<Value>((resolve) => {
    limit = setTimeout(() => resolve(otherwise), STORAGE_TIMEOUT);
  });
  try {
    return await Promise.race([work(), tooLate]);
  } catch {
    return otherwise;
  } finally {
    clearTimeout(limit);
  }
}
