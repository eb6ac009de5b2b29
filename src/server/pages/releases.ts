import { setTimeout as delay } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { documentFor } from '#contract/documents.ts';
import type { Host } from '#contract/hosts.ts';
import { matchesPath } from '#contract/page.ts';
import { SHELL_PATH, WORKER_PATH } from '#contract/worker-messages.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { describeError } from '../core/log.ts';
import { batched } from '../database/batched.ts';
import { perDatabase } from '../database/per-database.ts';
import { type Asset, createAsset } from './assets.ts';
import type { FrontEnd, OwnFrontEnd, SentDocument } from './front-end.ts';
import { createRefreshingCache, type RefreshingCache } from './refreshing-cache.ts';
import {
  listRunning,
  publishRelease,
  readFiles,
  readRelease,
  recordRunning,
  recordStopped,
  type StoredFile,
  type StoredRelease,
  storeDocuments,
} from './release-store.ts';

type Dependencies = Pick<Context, 'db' | 'clock' | 'log'>;

/**
 * The releases that processes on one database run side by side during a rolling upgrade. All of them serve the latest
 * one and the files of every one, so that any process can answer.
 */
export type Releases = {
  /** The current release, or the requested one if some process runs it. */
  findFrontEnd(requested: string | null): Promise<FrontEnd>;
  /** A file of another release; null if no stored release has it. */
  findFile(path: string): Promise<Asset | null>;
  stop(): Promise<void>;
};

/** How long the list of running releases is cached, in milliseconds. */
export const LIST_FRESH_MS = 500;
/** How long another release's documents are cached. */
const DOCUMENTS_FRESH_MS = 5_000;
const HEARTBEAT_MS = 20_000;
/** More than two releases have. A path that is not stored is looked up again after a while. */
const FILES_REMEMBERED = 400;
const MISSING_FOR_MS = 5_000;
const FILE_PATH = /^\/[\w./-]{1,200}\.\w+$/;

/**
 * Publishes this process's release and keeps it registered until it is stopped. Must be called before the process
 * listens, because other processes may be requested for files its pages name.
 * @param isAlone whether no other process can use this database
 * @param wait resolves after the given milliseconds
 */
export async function openReleases(
  context: Dependencies,
  own: OwnFrontEnd,
  {
    assets,
    isAlone,
    wait = delay,
  }: {
    assets: ReadonlyMap<string, Asset>;
    isAlone: boolean;
    wait?: (milliseconds: number) => Promise<unknown>;
  },
): Promise<Releases> {
  const { db, clock } = context;
  const { version, screens } = own;
  let storedSource = '';
  const self = { id: newId('prc'), version };
  const files = [...assets].map(([path, asset]) => toStoredFile(path, asset));
  await publishRelease(db, { version, screens, files }, clock.now());
  if (isAlone) await recordStopped(db);
  await recordThisProcess();
  const heartbeat = repeat(context, recordThisProcess);

  async function recordThisProcess(): Promise<void> {
    if (!isAlone) await storeChanged();
    await recordRunning(db, self, clock.now());
  }
  async function storeChanged(): Promise<void> {
    const documents = await own.composeDocuments();
    const source = documents.map(({ fingerprint }) => fingerprint).join();
    if (source !== storedSource) await storeDocuments(db, version, documents);
    storedSource = source;
  }

  const running = createRefreshingCache(context, {
    name: 'list of running releases',
    freshMs: LIST_FRESH_MS,
    read: () => listRunning(db, version, clock.now()),
  });
  const others = new Map<string, RefreshingCache<FrontEnd | null>>();
  function readOther(other: string): Promise<FrontEnd | null> {
    const cache = others.get(other) ?? createOther(context, other);
    others.set(other, cache);
    return cache.load();
  }

  // From here on every process serves the latest release, so that tabs do not alternate between releases.
  if (!isAlone && (await running.load()).length > 1) await wait(2 * LIST_FRESH_MS);
  return {
    async findFrontEnd(requested) {
      if (isAlone || requested === version) return own;
      const versions = await running.load();
      const served = requested !== null && versions.includes(requested) ? requested : versions[0];
      if (served === undefined || served === version) return own;
      return (await readOther(served)) ?? own;
    },
    findFile: createFileLookup(context),
    async stop() {
      await heartbeat.stop();
      await recordStopped(db, self.id);
    },
  };
}

/** Runs `work` every twenty seconds; `stop` waits for a run in progress. */
function repeat({ log }: Dependencies, work: () => Promise<void>): { stop(): Promise<void> } {
  let current = Promise.resolve();
  const timer = setInterval(() => {
    current = work().catch((error: unknown) =>
      log.error('release not recorded as running', describeError(error)),
    );
  }, HEARTBEAT_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}

function createOther(context: Dependencies, version: string): RefreshingCache<FrontEnd | null> {
  return createRefreshingCache(context, {
    name: 'documents of another release',
    freshMs: DOCUMENTS_FRESH_MS,
    read: async () => {
      const stored = await readRelease(context.db, version);
      return stored && toFrontEnd(stored);
    },
  });
}

/** Another release as its worker serves it: the documents it caches answer the path of every screen. */
function toFrontEnd({ version, screens, documents }: StoredRelease): FrontEnd {
  const sent = new Map(
    documents.map(({ host, path, headers, content }): [string, SentDocument] => [
      `${host} ${path}`,
      { asset: createAsset(path === WORKER_PATH ? path : '/index.html', content), headers },
    ]),
  );
  function find(host: Host, path: string): SentDocument {
    const document = sent.get(`${host} ${path}`);
    if (document === undefined) throw new Error(`Release ${version} has stored no ${path} of ${host}.`);
    return document;
  }
  return {
    version,
    serves: (host) => screens[host] !== undefined,
    async findPage(host, pathname) {
      const isKnown =
        pathname === SHELL_PATH || screens[host]?.some((pattern) => matchesPath(pattern, pathname));
      if (!isKnown) return null;
      // A release may have had fewer documents.
      return sent.get(`${host} ${documentFor(host, pathname)}`) ?? find(host, SHELL_PATH);
    },
    findWorker: (host) => find(host, WORKER_PATH),
  };
}

function createFileLookup({ db, clock }: Dependencies): Releases['findFile'] {
  const read = new LRUCache<string, { asset: Asset | null; at: number }>({ max: FILES_REMEMBERED });
  return async (path) => {
    if (!FILE_PATH.test(path)) return null;
    const now = clock.now().getTime();
    const last = read.get(path);
    if (last && (last.asset || now - last.at < MISSING_FOR_MS)) return last.asset;
    const asset = await readAsset(db)(path);
    read.set(path, { asset, at: now });
    return asset;
  };
}

const readAsset = perDatabase((db) =>
  batched(async (paths: readonly string[]): Promise<(Asset | null)[]> => {
    const stored = new Map((await readFiles(db, paths)).map((file) => [file.path, file]));
    return paths.map((path) => {
      const file = stored.get(path);
      return file ? toAsset(file) : null;
    });
  }),
);

function toStoredFile(path: string, { plain, brotli }: Asset): StoredFile {
  return { path, content: brotli ?? plain, isCompressed: brotli !== null };
}

function toAsset({ path, content, isCompressed }: StoredFile): Asset {
  return isCompressed
    ? createAsset(path, brotliDecompressSync(content), content)
    : createAsset(path, content);
}
