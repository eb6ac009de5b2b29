import { documentsOf } from '#contract/worker-messages.ts';
import { fetchToKeep } from './network.ts';
import { findNote, soonOr, tellProblem, writeNote } from './store.ts';
import type { Surroundings } from './surroundings.ts';
import {
  filesOf,
  generationOf,
  INSTALLED_AT_ONCE,
  isGeneration,
  isImmutable,
  LIMITS,
} from './what-is-kept.ts';

/**
 * Fetches all of this build that its host needs, or fails: then the build before stays at work, and the next try
 * goes on where this one ended.
 */
export async function install(env: Surroundings): Promise<void> {
  try {
    const cache = await env.caches.open(generationOf(env.config.build));
    const paths = [
      ...filesOf(env.config.host, env.built).map(({ url }) => url),
      ...documentsOf(env.config.host),
    ];
    await forEachOf(paths, INSTALLED_AT_ONCE, (path) => keepFile(env, cache, path));
  } catch (error) {
    await tellProblem(env, error);
    throw error;
  }
}

/**
 * Lets go of all builds but this one and the one before, whose tabs may still be open. Requests wait until it is done,
 * so what a slow storage leaves is taken away at the next activation.
 */
export async function activate(env: Surroundings): Promise<void> {
  const { build } = env.config;
  const last = await findNote<Generations>(env, 'generations');
  const previous = last === null || last.current === build ? (last?.previous ?? null) : last.current;
  await writeNote(env, 'generations', { current: build, previous } satisfies Generations);
  const wanted = [build, ...(previous === null ? [] : [previous])].map(generationOf);
  await soonOr(undefined, async () => {
    for (const name of await env.caches.keys())
      if (isGeneration(name) && !wanted.includes(name)) await env.caches.delete(name);
  });
}

type Generations = { current: string; previous: string | null };

async function keepFile(env: Surroundings, cache: Cache, path: string): Promise<void> {
  const immutable = isImmutable(path);
  if (immutable) {
    if (await cache.match(path, { ignoreVary: true })) return;
    const earlier = await env.caches.match(path, { ignoreVary: true });
    if (earlier) return cache.put(path, earlier);
  }
  await cache.put(path, await fetchToKeep(env, { path, isImmutable: immutable, limit: LIMITS.install }));
}

async function forEachOf<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: atOnce }, async () => {
    for (const item of queue) await work(item);
  });
  await Promise.all(workers);
}
