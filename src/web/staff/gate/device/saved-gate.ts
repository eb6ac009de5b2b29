import type { GatePack, GateParty } from '#contract/gate/schemas.ts';
import { findDeviceEncryptor } from '#web/platform/saved-data/device-keys.ts';
import type { Encryptor } from '#web/platform/saved-data/encryption.ts';
import { isSavedRecord, openRecords, type Records } from '#web/platform/saved-data/records.ts';
import type { LoggedEvent } from './event-log.ts';

/** A list is stored in a part for each sailing, because most of them stay the same while one boat is boarded. */
type Value =
  | { kind: 'list'; list: Omit<GatePack, 'parties'> }
  | { kind: 'parties'; sailingId: string; parties: GateParty[] }
  | { kind: 'event'; logged: LoggedEvent };

export type SavedGate = {
  /** Never rejects: a device whose storage fails starts empty. */
  read(): Promise<{ pack: GatePack | null; log: LoggedEvent[] }>;
  /** @param mayWrite asked before each part is written, so that a sign-out stops the others */
  savePack(pack: GatePack, mayWrite: () => boolean): Promise<void>;
  saveEvent(logged: LoggedEvent): Promise<void>;
  removeEvents(ids: readonly string[]): Promise<void>;
  /** Deletes what names people; events, which contain only ids, stay until they are sent. */
  removePack(): Promise<void>;
};

/** A pack is not read after this long. In milliseconds. */
export const PACK_LIFETIME_MS = 36 * 3_600_000;

const DATABASE = 'gate';
/** Raise it if the form of the records changes; those of another one are not read. */
const SCHEMA = 1;
/** Begins the names of what a sign-out deletes. */
const LIST_PREFIX = 'list ';

/** Deletes the list of this device, after a sign-out or when the session has ended. */
export async function forgetGateList(saved = openSavedGate()): Promise<void> {
  await saved.removePack().catch(() => undefined);
}

/** The gate's list and its events on this device, encrypted with a key that cannot be exported from the browser. */
export function openSavedGate(records: Records = openRecords(DATABASE)): SavedGate {
  let lastAt = 0;
  let encryptor: Promise<Encryptor> | null = null;
  /** Of the parts that are stored, by sailing. */
  let savedTags: ReadonlyMap<string, string> = new Map();

  async function openEncryptor(stored?: ReadonlyMap<string, unknown>): Promise<Encryptor> {
    encryptor ??= (async () => findDeviceEncryptor(records, stored ?? (await records.all())))();
    return encryptor;
  }

  async function save(
    text: string,
    value: Value,
    { until = null, mayWrite = () => true }: { until?: number | null; mayWrite?: () => boolean } = {},
  ): Promise<void> {
    const key = await openEncryptor();
    const name = await nameRecord(text, value.kind);
    lastAt = Math.max(Date.now(), lastAt + 1);
    const record = { schema: SCHEMA, tag: key.tag, at: lastAt, until, ...(await key.encrypt(name, value)) };
    await records.putNewer(name, record, mayWrite);
  }

  async function nameRecord(text: string, kind: Value['kind']): Promise<string> {
    const name = await (await openEncryptor()).nameRecord(text);
    return kind === 'event' ? name : `${LIST_PREFIX}${name}`;
  }

  /** One part after the other, so that the page can answer a scan in between; the list last, so that its parts are there. */
  async function savePack({ parties, ...list }: GatePack, mayWrite: () => boolean): Promise<void> {
    const until = Date.parse(list.as_of) + PACK_LIFETIME_MS;
    const tags = new Map(list.tags.map(({ sailing_id, tag }) => [sailing_id, tag]));
    for (const [sailingId, tag] of tags) {
      if (savedTags.get(sailingId) === tag) continue;
      if (!mayWrite()) return;
      const own = parties.filter(({ sailing_id }) => sailing_id === sailingId);
      await save(sailingId, { kind: 'parties', sailingId, parties: own }, { until, mayWrite });
    }
    await save('list', { kind: 'list', list }, { until, mayWrite });
    const gone = [...savedTags.keys()].filter((sailingId) => !tags.has(sailingId));
    savedTags = tags;
    await records.remove(await Promise.all(gone.map((sailingId) => nameRecord(sailingId, 'parties'))));
  }

  async function readValues(): Promise<Map<string, Value>> {
    const stored = await records.all();
    const values = new Map<string, Value>();
    if (stored.size === 0) return values;
    const key = await openEncryptor(stored);
    const read = [...stored].map(async ([name, record]) => {
      if (!isSavedRecord(record) || record.schema !== SCHEMA) return;
      if (record.until !== null && record.until < Date.now()) return;
      values.set(name, (await key.decrypt(name, record)) as Value);
    });
    await Promise.all(read);
    const obsolete = [...stored.keys()].filter((name) => name.startsWith(LIST_PREFIX) && !values.has(name));
    if (obsolete.length > 0) await records.remove(obsolete);
    return values;
  }

  return {
    async read() {
      const values = await readValues().catch(() => new Map<string, Value>());
      const all = [...values.values()];
      const list = all.flatMap((value) => (value.kind === 'list' ? [value.list] : []))[0];
      const listed = new Set(list?.tags.map(({ sailing_id }) => sailing_id));
      const parties = all.flatMap((value) =>
        value.kind === 'parties' && listed.has(value.sailingId) ? value.parties : [],
      );
      return {
        pack: list ? { ...list, parties } : null,
        log: all
          .flatMap((value) => (value.kind === 'event' ? [value.logged] : []))
          .toSorted((a, b) => (a.event.occurred_at < b.event.occurred_at ? -1 : 1)),
      };
    },
    savePack,
    saveEvent: (logged) => save(logged.event.id, { kind: 'event', logged }),
    async removeEvents(ids) {
      if (ids.length === 0) return;
      await records.remove(await Promise.all(ids.map((id) => nameRecord(id, 'event'))));
    },
    async removePack() {
      savedTags = new Map();
      const names = [...(await records.all()).keys()];
      await records.remove(names.filter((name) => name.startsWith(LIST_PREFIX)));
    },
  };
}
