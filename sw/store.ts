import type { Surroundings } from './surroundings.ts';
import { tell } from './tabs.ts';
import { generationOf, NOTES_CACHE, STORAGE_WITHIN } from './what-is-kept.ts';

type Stores = Pick<Surroundings, 'caches' | 'config' | 'tabs'>;

/**
 * Keeps an answer while this build's files stand: after everything was deleted, a request that was still under
 * way must not begin again what was ended. A full or broken disk costs the copy and nothing else.
 */
export function keep(env: Stores, cacheName: string, key: string, response: Response): Promise<void> {
  return soonOr(undefined, async () => {
    try {
      if (!(await env.caches.has(generationOf(env.config.build)))) return;
      await (await env.caches.open(cacheName)).put(key, response);
    } catch (error) {
      await tellProblem(env, error);
    }
  });
}

/** What is kept under an address, in one cache or any; null also when the disk fails or does not answer. */
export function findKept(
  env: Pick<Surroundings, 'caches'>,
  cacheName: string | null,
  key: string,
): Promise<Response | null> {
  const options = { ignoreVary: true, ...(cacheName === null ? {} : { cacheName }) };
  return soonOr(null, async () => (await env.caches.match(key, options)) ?? null);
}

/** What the worker remembers from one life to the next, as it wrote it. */
export async function findNote<Note>(env: Pick<Surroundings, 'caches'>, name: string): Promise<Note | null> {
  const kept = await findKept(env, NOTES_CACHE, noteKey(name));
  return kept === null ? null : ((await kept.json()) as Note);
}

export function writeNote(env: Stores, name: string, note: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  return keep(env, NOTES_CACHE, noteKey(name), new Response(JSON.stringify(note), { headers }));
}

export async function tellProblem(env: Stores, error: unknown): Promise<void> {
  if (error instanceof Error && error.name === 'QuotaExceededError')
    await tell(env, { v: 1, type: 'STORAGE', problem: 'quota' });
}

function noteKey(name: string): string {
  return `/__notes/${name}`;
}

/** A browser's storage may fail, and has been seen to hang for ever: then the network has to do. */
export async function soonOr<Value>(otherwise: Value, work: () => Promise<Value>): Promise<Value> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<Value>((resolve) => {
    limit = setTimeout(() => resolve(otherwise), STORAGE_WITHIN);
  });
  try {
    return await Promise.race([work(), tooLate]);
  } catch {
    return otherwise;
  } finally {
    clearTimeout(limit);
  }
}
