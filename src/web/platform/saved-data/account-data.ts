import type { QueryClient } from '@tanstack/react-query';
import { TAB_CHANNEL, type TabMessage } from '#contract/worker-messages.ts';
import { createStore, type Store } from '../create-store.ts';
import {
  isKnownSignedIn,
  isWipeDue,
  ownerEpoch,
  ownerSecret,
  readToken,
  setWiped,
} from '../session/session.ts';
import { whenIdle } from '../when-idle.ts';
import { takeEarlyRead } from './early-read.ts';
import { encryptorFromSecret, installSalt, isSaltStored } from './encryption.ts';
import { markEnded, openEndedSessions } from './ended-sessions.ts';
import { isStillOwner, type Owner, watchOwner } from './owner-watch.ts';
import { type PersistedQueries, persistQueries } from './persist-queries.ts';
import { isSavedRecord, openRecords, type Records } from './records.ts';
import { saveSnapshots } from './save-snapshots.ts';

export type AccountData = {
  /** True until the customer's saved data is in the client, or cannot be restored. */
  isRestoring: Store<boolean>;
  /** Resolves at the same time and never rejects. */
  restored: Promise<void>;
  stop: () => void;
};

export type OpenSavedData = (client: QueryClient) => AccountData;

export type AccountStores = { data: Records; paint: Records; ended: Records };

/** Keeps what a signed-in customer has read readable offline, on this device and for this customer only. */
export function openAccountData(client: QueryClient, stores: AccountStores = openStores()): AccountData {
  const begunAt = performance.now();
  const isRestoring = createStore(true);
  let saved: PersistedQueries | null = null;
  let stopSnapshots: () => void = () => undefined;
  let hadSalt = false;
  let secret: string | null = null;
  // Both the token and the flag count: a killed browser may bring back the cookie of a session that was signed out
  // of.
  if (isWipeDue()) void wipe(stores, { present: isKnownSignedIn() ? ownerSecret() : null });
  const channel = openChannel((name) => void saved?.take(name));

  function close(): void {
    saved?.stop();
    stopSnapshots();
    saved = null;
  }

  function open(owner: Owner): PersistedQueries {
    close();
    secret = owner.secret;
    const mayWrite = () => isStillOwner(owner);
    const early = takeEarlyRead(owner.secret);
    const encryptor = early
      ? Promise.resolve(early.encryptor)
      : encryptorFromSecret(owner.secret, installSalt());
    hadSalt = isSaltStored();
    const findEncryptor = () => encryptor;
    stopSnapshots = saveSnapshots(client, { records: stores.paint, mayWrite, findEncryptor });
    return persistQueries(client, {
      records: early?.records ?? stores.data,
      stored: early?.stored,
      scope: 'account',
      mayWrite,
      findEncryptor,
      onSaved: (name) => channel.tell(name),
    });
  }

  const stop = watchOwner({
    isIntact: () => isSaltStored() || !hadSalt,
    onStart: (owner) => {
      saved = open(owner);
    },
    onStorageCleared: (owner) => {
      saved = open(owner);
      void saved.flush();
    },
    onEnd: ({ isElsewhere }) => {
      close();
      const last = secret;
      secret = null;
      // The tab that ended the session wipes, and may already have started the next one.
      return isElsewhere || wipe(stores, { last });
    },
  });
  const restored = restoring().then(() => {
    performance.measure('saved-data-restored', { start: begunAt });
    isRestoring.set(false);
  });
  // The cookie may have expired or been deleted without a sign-out.
  if (readToken() === null) whenIdle(() => readToken() === null && void wipe(stores));

  function restoring(): Promise<void> {
    return saved?.restored ?? Promise.resolve();
  }

  return {
    isRestoring,
    restored,
    stop: () => {
      stop();
      close();
      channel.close();
    },
  };
}

/**
 * A sign-out waits so long for a slow storage, in milliseconds, as for the server: a browser that is killed before the
 * session is marked as ended would start with it and its saved data again.
 */
const MARK_WITHIN = 3000;

export function openStores(): AccountStores {
  return {
    data: openRecords('account-data'),
    paint: openRecords('first-paint'),
    ended: openEndedSessions({ deadline: MARK_WITHIN }),
  };
}

/**
 * Deletes the data of the owner with the secret `last`. A wipe that storage delayed runs at a later start, when
 * another customer may have saved data: the data of `present` stays.
 */
async function wipe(
  { data, paint, ended }: AccountStores,
  { last = null, present = null }: { last?: string | null; present?: string | null } = {},
): Promise<void> {
  const epoch = ownerEpoch();
  const done = await Promise.allSettled([
    last !== null && markEnded(ended, last),
    empty(data, present),
    empty(paint, present),
  ]);
  // Without the owner's secret the data cannot be decrypted. The next start retries.
  if (done.every(({ status }) => status === 'fulfilled') && ownerEpoch() === epoch) setWiped();
}

/** Cleared, not deleted: deleting a database waits for every tab that has it open. */
async function empty(records: Records, present: string | null): Promise<void> {
  if (present === null) return records.clear();
  const { tag } = await encryptorFromSecret(present, installSalt());
  const stored = [...(await records.all())];
  const others = stored.filter(([, value]) => !isSavedRecord(value) || value.tag !== tag);
  await records.remove(others.map(([name]) => name));
}

function openChannel(onName: (name: string) => void): {
  tell: (name: string) => void;
  close: () => void;
} {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => undefined, close: () => undefined };
  const channel = new BroadcastChannel(TAB_CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data?.type === 'DATA') onName(data.key);
  });
  return {
    tell: (key) => channel.postMessage({ type: 'DATA', key, at: Date.now() } satisfies TabMessage),
    close: () => channel.close(),
  };
}
