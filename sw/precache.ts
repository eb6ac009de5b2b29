import { listDocuments } from '#contract/documents.ts';
import { SHELL_PATH } from '#contract/worker-messages.ts';
import {
  INSTALL_CONCURRENCY,
  isImmutable,
  isPrecacheName,
  LIMITS,
  listFiles,
  precacheName,
} from './cache-rules.ts';
import { fetchForCache } from './network.ts';
import { findNote, reportStorageProblem, withDeadline, writeNote } from './store.ts';
import type { WorkerContext } from './worker-context.ts';

/**
 * Caches every file of this build that its host needs in the visitor's language. If it fails, the previous worker stays active and the next
 * attempt continues with the missing files.
 */
export async function install(context: WorkerContext): Promise<void> {
  try {
    const cache = await context.caches.open(precacheName(context.config.build));
    const { host } = context.config;
    const cacheAll = (paths: readonly string[]) =>
      forEachConcurrently(paths, INSTALL_CONCURRENCY, (path) => cacheFile(context, cache, path));
    await cacheAll(listDocuments(host));
    const language = await readLanguage(cache);
    await cacheAll(listFiles(host, context.built, language));
  } catch (error) {
    await reportStorageProblem(context, error);
    throw error;
  }
}

/**
 * Deletes the caches of all builds except this one and the previous one, whose tabs may still be open. Fetch events wait
 * for it, so it has a deadline; the next activation deletes the rest.
 */
export async function activate(context: WorkerContext): Promise<void> {
  const { build } = context.config;
  const last = await findNote<PrecachedBuilds>(context, 'releases');
  const previous = last === null || last.current === build ? (last?.previous ?? null) : last.current;
  await writeNote(context, 'releases', { current: build, previous } satisfies PrecachedBuilds);
  const currentCaches = [build, ...(previous === null ? [] : [previous])].map(precacheName);
  await withDeadline(undefined, async () => {
    for (const name of await context.caches.keys())
      if (isPrecacheName(name) && !currentCaches.includes(name)) await context.caches.delete(name);
  });
}

/** Of the documents, which the server renders in the visitor's language: they preload its messages. Null for English. */
async function readLanguage(cache: Cache): Promise<string | null> {
  const document = await cache.match(SHELL_PATH, { ignoreVary: true });
  return /\/messages-[\w-]+\/([\w-]+)\//.exec((await document?.text()) ?? '')?.[1] ?? null;
}

type PrecachedBuilds = { current: string; previous: string | null };

async function cacheFile(context: WorkerContext, cache: Cache, path: string): Promise<void> {
  const immutable = isImmutable(path);
  if (immutable) {
    if (await cache.match(path, { ignoreVary: true })) return;
    const earlier = await context.caches.match(path, { ignoreVary: true });
    if (earlier) return cache.put(path, earlier);
  }
  await cache.put(
    path,
    await fetchForCache(context, { path, isImmutable: immutable, limit: LIMITS.install }),
  );
}

async function forEachConcurrently<Item>(
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
