import type { SqlStore } from '../sql-store.ts';
import { getSqlState } from '../sql-store.ts';
import type { ProviderContext } from './context.ts';
import { createId } from './ids.ts';
import type { Knobs } from './knobs.ts';
import { apiVersion, type EventDoc, type Kind, type Kinds, type Secrets, type Stored } from './records.ts';

/** A concurrent call changed an object that this one had read; retry from the start. */
export class Outdated extends Error {}

/** `now` is in milliseconds since 1970. */
type CommitOptions = { store: SqlStore; now: number; knobs: Knobs };

/** The response for an Idempotency-Key, stored by the same statement as the call's effects. */
export type StoredResponse = {
  key: string;
  fingerprint: string;
  request_id: string;
  status: number;
  body: object;
};

export type UnitOfWork = ReturnType<typeof beginUnit>;

type Row<K extends Kind> = {
  id: string;
  object: K;
  version: number;
  doc: Kinds[K];
  secret: Secrets;
  wake_ms: number | null;
};

/** Collects the effects of one call and stores them together; repeated reads return the same object. */
export function beginUnit(provider: ProviderContext, knobs: Knobs, request?: EventDoc['request']) {
  const { store, randomSource } = provider;
  const now = provider.clock().getTime();
  const seen = new Map<string, Stored<Kind>>();
  const dirty = new Set<Stored<Kind>>();
  const events: EventDoc[] = [];

  function remember<K extends Kind>(row: Row<K>): Stored<K> {
    const loaded = seen.get(row.id);
    // Ids are unique across kinds, so a loaded object has the requested kind.
    if (loaded) return loaded as unknown as Stored<K>;
    const { wake_ms, ...rest } = row;
    const stored: Stored<K> = { ...rest, wakeAt: wake_ms };
    seen.set(row.id, stored as unknown as Stored<Kind>);
    return stored;
  }

  return {
    now,
    /** Seconds since 1970, as on the wire. */
    seconds: Math.floor(now / 1000),
    id: (prefix: string) => createId(randomSource, prefix),
    secretPart: () => createId(randomSource, ''),
    async find<K extends Kind>(kind: K, id: string): Promise<Stored<K> | null> {
      const loaded = seen.get(id);
      if (loaded) return loaded.object === kind ? (loaded as unknown as Stored<K>) : null;
      const [row] = await store.query<Row<K>>(
        'select id, object, version, doc, secret, wake_ms from sandbox.objects where id = $1 and object = $2',
        [id, kind],
      );
      return row ? remember(row) : null;
    },
    /** Objects of a kind whose document has this text in this field, newest first. */
    async findBy<K extends Kind>(kind: K, field: string, value: string): Promise<Stored<K>[]> {
      const rows = await store.query<Row<K>>(
        `select id, object, version, doc, secret, wake_ms from sandbox.objects
         where object = $1 and doc->>$2::text = $3 order by seq desc`,
        [kind, field, value],
      );
      return rows.map(remember);
    },
    /** Balance transactions that are in no payout yet, oldest first. */
    async findUnpaidTransactions(): Promise<Stored<'balance_transaction'>[]> {
      const rows = await store.query<Row<'balance_transaction'>>(
        `select id, object, version, doc, secret, wake_ms from sandbox.objects
         where object = 'balance_transaction' and secret->>'payout' is null order by seq`,
        [],
      );
      return rows.map(remember);
    },
    create<K extends Kind>(kind: K, doc: Kinds[K] & { id: string }, secret: Secrets = {}): Stored<K> {
      const stored: Stored<K> = { id: doc.id, object: kind, version: 0, doc, secret, wakeAt: null };
      seen.set(doc.id, stored as unknown as Stored<Kind>);
      dirty.add(stored as unknown as Stored<Kind>);
      return stored;
    },
    save<K extends Kind>(stored: Stored<K>): void {
      dirty.add(stored as unknown as Stored<Kind>);
    },
    emit(type: string, object: object, previous?: object): void {
      events.push({
        id: createId(randomSource, 'evt_'),
        object: 'event',
        api_version: apiVersion,
        created: Math.floor(now / 1000),
        data: { object: structuredClone(object), ...(previous ? { previous_attributes: previous } : {}) },
        livemode: false,
        pending_webhooks: 1,
        request: request ?? { id: null, idempotency_key: null },
        type,
      });
    },
    /** Stores everything or nothing. @throws {Outdated} if an object read here has changed */
    commit: (answer?: StoredResponse) => commit({ store, now, knobs }, [...dirty], events, answer),
  };
}

/**
 * In one statement: locks and compares the versions that were read; if all match, writes objects, events, their
 * deliveries and the stored response.
 */
const commitStatement = `
with changed as (
  select * from jsonb_to_recordset($1::text::jsonb)
    as x(id text, object text, version integer, doc jsonb, secret jsonb, wake_ms double precision)
), news as (
  select * from jsonb_to_recordset($2::text::jsonb) as x(id text, doc jsonb, due_ms double precision, copies integer, state text)
), answers as (
  select * from jsonb_to_recordset($3::text::jsonb)
    as x(key text, fingerprint text, request_id text, status integer, body jsonb)
), held as (
  select o.id from sandbox.objects o join changed c on c.id = o.id and c.version = o.version
  where c.version > 0 for update of o
), fresh as (
  select (select count(*) from held) = (select count(*) from changed where version > 0) as ok
), updated as (
  update sandbox.objects o
  set doc = c.doc, secret = c.secret, wake_ms = c.wake_ms, version = o.version + 1
  from changed c, fresh where fresh.ok and c.version > 0 and o.id = c.id
  returning o.id
), created as (
  insert into sandbox.objects (id, object, doc, secret, wake_ms)
  select c.id, c.object, c.doc, c.secret, c.wake_ms from changed c, fresh where fresh.ok and c.version = 0
  returning id
), told as (
  insert into sandbox.objects (id, object, doc, secret)
  select n.id, 'event', n.doc, '{}'::jsonb from news n, fresh where fresh.ok
  returning id
), queued as (
  insert into sandbox.deliveries (event_id, due_ms, created_ms, state)
  select n.id, n.due_ms, $4::double precision, n.state
  from news n cross join fresh cross join lateral generate_series(1, n.copies)
  where fresh.ok
  returning id
), stored_answers as (
  insert into sandbox.idempotency (key, fingerprint, request_id, status, body, created_ms)
  select a.key, a.fingerprint, a.request_id, a.status, a.body, $4::double precision from answers a, fresh where fresh.ok
  returning key
)
select ok from fresh`;

async function commit(
  options: CommitOptions,
  changed: Stored<Kind>[],
  events: EventDoc[],
  answer: StoredResponse | undefined,
): Promise<{ events: number }> {
  if (changed.length === 0 && events.length === 0 && !answer) return { events: 0 };
  const objects = changed.map(({ wakeAt, ...rest }) => ({ ...rest, wake_ms: wakeAt }));
  const news = events.map((doc) => ({
    id: doc.id,
    doc,
    due_ms: dueAt(options),
    copies: 1 + options.knobs.duplicate,
    state: options.knobs.drop ? 'dropped' : 'pending',
  }));
  const [row] = await storeOrOutdated(options.store, [
    JSON.stringify(objects),
    JSON.stringify(news),
    JSON.stringify(answer ? [answer] : []),
    options.now,
  ]);
  if (!row?.ok) throw new Outdated();
  return { events: events.length };
}

async function storeOrOutdated(store: SqlStore, params: unknown[]): Promise<{ ok: boolean }[]> {
  try {
    return await store.query<{ ok: boolean }>(commitStatement, params);
  } catch (error) {
    // Two calls with one Idempotency-Key: the slower one retries and finds the faster one's response.
    if (['23505', '40P01', '40001'].includes(getSqlState(error))) throw new Outdated();
    throw error;
  }
}

const reorderWindow = 2000;

/** Reordered events of one window become due together, and the newest is sent first. */
function dueAt({ now, knobs }: CommitOptions): number {
  const due = now + knobs.delay_ms;
  return knobs.reorder ? (Math.floor(due / reorderWindow) + 1) * reorderWindow : due;
}
