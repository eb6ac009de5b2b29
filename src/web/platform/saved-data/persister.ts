import {
  type AsyncStorage,
  experimental_createQueryPersister,
  type PersistedQuery,
} from '@tanstack/query-persist-client-core';
import {
  type DehydratedState,
  dehydrate,
  type Query,
  type QueryCache,
  QueryClient,
} from '@tanstack/react-query';
import { getSavedVersion, SAVED_VERSIONS, type SavedVersion } from '../query/query-keys.ts';
import { KEYS } from './device-keys.ts';
import type { Encryptor } from './encryption.ts';
import { isSavedRecord, MAX_AGE, type Records, type SavedRecord } from './records.ts';
import { findExpiry, isPersistedQuery, type PersistScope, toRestored, withoutState } from './saved-query.ts';

type Queries = DehydratedState['queries'];
type StoredRecords = ReadonlyMap<string, unknown>;

/** Gets the stored records, because a device's keys are stored among them. */
export type EncryptorSource = (records: Records, stored: StoredRecords) => Promise<Encryptor>;

export type RecordPersister = {
  /** Reads all records, and deletes those that cannot be used. */
  restore(stored?: Promise<StoredRecords>): Promise<Queries>;
  /** Reads a record that another tab has just saved. */
  read(name: string): Promise<Queries>;
  /** Writes the query if its data has changed. */
  save(query: Query): Promise<void>;
  /** Deletes the saved data of a query. */
  drop(queryHash: string): Promise<void>;
};

export type PersisterOptions = {
  records: Records;
  cache: QueryCache;
  findEncryptor: EncryptorSource;
  scope: PersistScope;
  /** False once the owner has changed. */
  mayWrite: () => boolean;
  /** Called with the name of a written record. */
  onSaved: (name: string) => void;
};

/** More records than a season's orders and all cards need. The oldest ones beyond it are deleted. */
const MAX_RECORDS = 200;

/** One encrypted record per query; the newest wins. The library's persister checks the age and version of each. */
export function createPersister(options: PersisterOptions): RecordPersister {
  const { records, cache, scope, mayWrite, onSaved } = options;
  const savedAt = new Map<string, number>();
  let encryptor: Promise<Encryptor> | null = null;

  function openEncryptor(stored?: StoredRecords): Promise<Encryptor> {
    encryptor ??= (async () => options.findEncryptor(records, stored ?? (await records.all())))();
    return encryptor;
  }

  /** The queries of some records, and the names of the records that were used. */
  async function readRecords(key: Encryptor, stored: Iterable<[string, unknown]>) {
    const read = await Promise.all([...stored].map(([name, value]) => decryptRecord(key, name, value)));
    const usable = new Map(read.flatMap((entry) => (entry ? [entry] : [])));
    const client = new QueryClient({ defaultOptions: { queries: { meta: { persist: scope } } } });
    for (const version of SAVED_VERSIONS) {
      await openPersister(version, {
        entries: () => [...usable].map(([storageName, { query }]) => [storageName, query]),
        removeItem: (storageName) => void usable.delete(storageName),
      }).restoreQueries(client);
    }
    const queries = dehydrate(client).queries.map(toRestored);
    client.clear();
    for (const { queryHash, state } of queries) savedAt.set(queryHash, state.dataUpdatedAt);
    return { queries, names: [...usable.values()].map(({ name }) => name) };
  }

  async function write(query: PersistedQuery): Promise<void> {
    const key = await openEncryptor();
    const name = await key.nameRecord(query.queryHash);
    const until = findExpiry(cache.get(query.queryHash));
    const record = {
      schema: Number(query.buster),
      tag: key.tag,
      at: query.state.dataUpdatedAt,
      until: Number.isFinite(until) ? until : null,
      ...(await key.encrypt(name, query)),
    };
    await putWithinQuota(records, name, record, mayWrite);
    onSaved(name);
  }

  return {
    async restore(reading = records.all()) {
      const stored = await reading;
      // Keys are created with the first record.
      if (stored.size === 0) return [];
      const newest = sortByAge(stored).slice(-MAX_RECORDS);
      const { queries, names } = await readRecords(await openEncryptor(stored), newest);
      const others = [...stored.keys()].filter((name) => name !== KEYS && !names.includes(name));
      // Not awaited: slow writes would delay the restored data.
      if (others.length > 0) void records.remove(others).catch(() => undefined);
      return queries;
    },
    async read(name) {
      const [value] = await records.get([name]);
      return (await readRecords(await openEncryptor(), [[name, value]])).queries;
    },
    async save(query) {
      const { queryKey, queryHash } = query;
      const { dataUpdatedAt } = query.state;
      const version = getSavedVersion(queryKey);
      if (version === null || savedAt.get(queryHash) === dataUpdatedAt) return;
      await openPersister(version, { setItem: (_, persisted) => write(persisted) }).persistQuery(query);
      savedAt.set(queryHash, dataUpdatedAt);
    },
    async drop(queryHash) {
      const key = await openEncryptor();
      savedAt.delete(queryHash);
      await records.remove([await key.nameRecord(queryHash)]);
    },
  };
}

const EMPTY: AsyncStorage<PersistedQuery> = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};

/** One for each kind of query, because each has its own version. */
function openPersister(version: SavedVersion, storage: Partial<AsyncStorage<PersistedQuery>>) {
  return experimental_createQueryPersister<PersistedQuery>({
    storage: { ...EMPTY, ...storage },
    prefix: getPrefix(version),
    buster: String(version.version),
    maxAge: MAX_AGE,
    serialize: withoutState,
    deserialize: (query) => query,
  });
}

/**
 * The record's query by the name under which the persister of its kind looks for it. Null for a record of another owner,
 * and for one that has expired or cannot be read.
 */
async function decryptRecord(
  encryptor: Encryptor,
  name: string,
  value: unknown,
): Promise<[string, { name: string; query: PersistedQuery }] | null> {
  if (!isSavedRecord(value) || value.tag !== encryptor.tag) return null;
  if (value.until !== null && value.until < Date.now()) return null;
  const query = await encryptor.decrypt(name, value).catch(() => null);
  const version = isPersistedQuery(query) ? getSavedVersion(query.queryKey) : null;
  if (!isPersistedQuery(query) || version === null) return null;
  const buster = String(value.schema);
  return [`${getPrefix(version)}-${query.queryHash}`, { name, query: { ...query, buster } }];
}

function getPrefix({ key }: SavedVersion): string {
  return JSON.stringify(key);
}

/** On a full device the older half is deleted to save new data. */
async function putWithinQuota(
  records: Records,
  name: string,
  record: SavedRecord,
  mayWrite: () => boolean,
): Promise<void> {
  try {
    await records.putNewer(name, record, mayWrite);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'QuotaExceededError')) throw error;
    const byAge = sortByAge(await records.all()).map(([older]) => older);
    await records.remove(byAge.slice(0, Math.ceil(byAge.length / 2)));
    await records.putNewer(name, record, mayWrite);
  }
}

/** Records, the oldest first. */
function sortByAge(stored: StoredRecords): [string, SavedRecord][] {
  const dated = [...stored].flatMap(([name, value]): [string, SavedRecord][] =>
    isSavedRecord(value) ? [[name, value]] : [],
  );
  return dated.toSorted(([, a], [, b]) => a.at - b.at);
}
