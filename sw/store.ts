import type { Surroundings } from './surroundings.ts';
import { tell } from './tabs.ts';
import { generationOf, NOTES_CACHE } from './what-is-kept.ts';

type Stores = Pick<Surroundings, 'caches' | 'config' | 'tabs'>;

/**
 * Keeps an answer while this build's files stand: after everything was deleted, a request that was still under
 * way must not begin again what was ended. A full disk costs the copy and nothing else.
 */
export async function keep(env: Stores, cacheName: string, key: string, response: Response): Promise<void> {
  if (!(await env.caches.has(generationOf(env.config.build)))) return;
  try {
    await (await env.caches.open(cacheName)).put(key, response);
  } catch (error) {
    await tellProblem(env, error);
  }
}

export async function findKept(
  env: Pick<Surroundings, 'caches'>,
  cacheName: string,
  key: string,
): Promise<Response | null> {
  return (await env.caches.match(key, { cacheName, ignoreVary: true })) ?? null;
}

/** What the worker remembers from one life to the next, as it wrote it. */
export async function findNote<Note>(env: Pick<Surroundings, 'caches'>, name: string): Promise<Note | null> {
  const kept = await findKept(env, NOTES_CACHE, noteKey(name));
  return kept === null ? null : ((await kept.json()) as Note);
}

export function writeNote(env: Stores, name: string, note: unknown): Promise<void> {
  return keep(env, NOTES_CACHE, noteKey(name), Response.json(note));
}

export async function tellProblem(env: Stores, error: unknown): Promise<void> {
  if (error instanceof Error && error.name === 'QuotaExceededError')
    await tell(env, { v: 1, type: 'STORAGE', problem: 'quota' });
}

function noteKey(name: string): string {
  return `/__notes/${name}`;
}
