import type { PersistedClient, Persister } from '@tanstack/query-persist-client-core';
import type { DehydratedState } from '@tanstack/react-query';
import { getSavedVersion } from '../query/query-keys.ts';
import type { Encryptor } from './encryption.ts';
import { isSavedRecord, MAX_AGE, type Records, type SavedRecord } from './records.ts';
import {
  findExpiry,
  isSavedQuery,
  type PersistScope,
  toDehydratedQuery,
  toSavedQuery,
} from './saved-query.ts';

type DehydratedQuery = DehydratedState['queries'][number];

/** Gets the stored records, because a device's keys are stored among them. */
export type EncryptorSource = (
  records: Records,
  stored: ReadonlyMap<string, unknown>,
) => Promise<Encryptor | null>;

export type RecordPersister = Persister & {
  /** Reads records that another tab has just saved. */
  read(names: readonly string[]): Promise<DehydratedQuery[]>;
  /** Deletes the saved data of a query. */
  drop(queryHash: string): Promise<void>;
};

export type PersisterOptions = {
  records: Records;
  findEncryptor: EncryptorSource;
  /** All records, if they are being read already. */
  stored?: Promise<ReadonlyMap<string, unknown>> | undefined;
  scope: PersistScope;
  /** False once the owner has changed. */
  mayWrite: () => boolean;
  now: () => number;
  /** Called with the names of written records. */
  onSaved: (names: string[]) => void;
};

/** More records than a season's orders and all cards need. The oldest ones beyond it are deleted. */
const MAX_RECORDS = 200;

/** The name of the device's keys, which are not a record. */
export const KEYS = 'keys';

/** One record per query; the newest wins. Records that cannot be read are deleted one by one. */
export function createPersister(options: PersisterOptions): RecordPersister {
  const { records, scope, mayWrite, now, onSaved } = options;
  const savedAt = new Map<string, number>();
  let encryptor: Promise<Encryptor | null> | null = null;

  function openEncryptor(stored?: ReadonlyMap<string, unknown>): Promise<Encryptor | null> {
    encryptor ??= (async () => options.findEncryptor(records, stored ?? (await records.all())))();
    return encryptor;
  }

  async function restoreClient(): Promise<PersistedClient> {
    const stored = await (options.stored ?? records.all());
    // Keys are created with the first record.
    const key = stored.size === 0 ? null : await openEncryptor(stored);
    const unreadable: string[] = [];
    const read = [...stored].map(async ([name, value]) => {
      if (name === KEYS) return [];
      const query = key && (await readRecord(key, name, value));
      if (query === null) unreadable.push(name);
      return query ?? [];
    });
    const queries = (await Promise.all(read)).flat();
    unreadable.push(...surplus(stored, unreadable));
    // Not awaited: slow writes would delay the restored data.
    if (unreadable.length > 0) void records.remove(unreadable).catch(() => undefined);
    return { timestamp: now(), buster: '', clientState: { mutations: [], queries } };
  }

  async function readRecord(
    encryptor: Encryptor,
    name: string,
    value: unknown,
  ): Promise<DehydratedQuery | null> {
    if (!isSavedRecord(value) || value.tag !== encryptor.tag) return null;
    if (now() - value.at > MAX_AGE || (value.until !== null && value.until < now())) return null;
    try {
      const saved = await encryptor.decrypt(name, value);
      if (!isSavedQuery(saved) || value.schema !== getSavedVersion(saved.key)) return null;
      const query = toDehydratedQuery(saved, scope, now());
      savedAt.set(query.queryHash, query.state.dataUpdatedAt);
      return query;
    } catch {
      return null;
    }
  }

  async function persistClient({ clientState }: PersistedClient): Promise<void> {
    const changed = clientState.queries.filter(
      ({ queryHash, state }) => savedAt.get(queryHash) !== state.dataUpdatedAt,
    );
    if (changed.length === 0) return;
    const key = await openEncryptor();
    if (key === null) return;
    const encrypted = await Promise.all(changed.map((query) => encryptedRecord(key, query)));
    const newer = new Map(encrypted.flat());
    await putWithinQuota(records, newer, mayWrite);
    for (const { queryHash, state } of changed) savedAt.set(queryHash, state.dataUpdatedAt);
    if (newer.size > 0) onSaved([...newer.keys()]);
  }

  return {
    restoreClient,
    persistClient,
    removeClient: () => records.clear().catch(() => undefined),
    async read(names) {
      const key = await openEncryptor();
      if (key === null) return [];
      const values = await records.get(names);
      const queries = await Promise.all(names.map((name, index) => readRecord(key, name, values[index])));
      return queries.flatMap((query) => query ?? []);
    },
    async drop(queryHash) {
      const key = await openEncryptor();
      if (key === null) return;
      savedAt.delete(queryHash);
      await records.remove([await key.nameRecord(queryHash)]);
    },
  };
}

async function encryptedRecord(
  encryptor: Encryptor,
  query: DehydratedQuery,
): Promise<[string, SavedRecord][]> {
  const saved = toSavedQuery(query);
  const version = getSavedVersion(query.queryKey);
  if (saved === null || version === null) return [];
  const name = await encryptor.nameRecord(query.queryHash);
  const until = findExpiry(query);
  const { iv, ciphertext } = await encryptor.encrypt(name, saved);
  const record = {
    schema: version,
    tag: encryptor.tag,
    at: saved.at,
    until: Number.isFinite(until) ? until : null,
    iv,
    ciphertext,
  };
  return [[name, record]];
}

/** On a full device the older half is deleted to save new data. */
async function putWithinQuota(
  records: Records,
  newer: ReadonlyMap<string, SavedRecord>,
  mayWrite: () => boolean,
): Promise<void> {
  try {
    await records.putNewer(newer, mayWrite);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'QuotaExceededError')) throw error;
    const byAge = oldestFirst(await records.all());
    await records.remove(byAge.slice(0, Math.ceil(byAge.length / 2)));
    await records.putNewer(newer, mayWrite);
  }
}

function surplus(stored: ReadonlyMap<string, unknown>, unreadable: readonly string[]): string[] {
  const readable = oldestFirst(stored).filter((name) => !unreadable.includes(name));
  return readable.slice(0, Math.max(0, readable.length - MAX_RECORDS));
}

function oldestFirst(stored: ReadonlyMap<string, unknown>): string[] {
  const dated = [...stored].flatMap(([name, value]) =>
    isSavedRecord(value) ? [{ name, at: value.at }] : [],
  );
  return dated.toSorted((a, b) => a.at - b.at).map(({ name }) => name);
}
