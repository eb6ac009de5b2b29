import type { QueryClient } from '@tanstack/react-query';
import { TAB_CHANNEL, type TabMessage } from '#contract/worker-messages.ts';
import { createStore, type Store } from '../create-store.ts';
import { whenIdle } from '../next-task.ts';
import { isWipeDue, ownerEpoch, setWiped } from '../session/ownership.ts';
import { isKnownSignedIn, ownerSecret, readToken } from '../session/session.ts';
import { encryptorFromSecret } from './encryption.ts';
import { markEnded, openEndedSessions } from './ended-sessions.ts';
import { installSalt, isSaltKept } from './install-salt.ts';
import { keepSaved, type SavedData } from './keep-saved.ts';
import { isStillOwner, type Owner, watchOwner } from './owner-watch.ts';
import { isSavedRecord, openRecords, type Records } from './records.ts';
import { saveSnapshots } from './save-snapshots.ts';

export type AccountData = {
  /** True until what was saved for the signed-in customer is in the client, or is known not to come. */
  isRestoring: Store<boolean>;
  /** Settles, and never rejects, with that. */
  restored: Promise<void>;
  stop: () => void;
};

export type OpenSavedData = (client: QueryClient) => AccountData;

export type AccountStores = { data: Records; paint: Records; ended: Records };

/** What a signed-in customer has read stays readable without a connection, on this device, to them alone. */
export function openAccountData(client: QueryClient, stores: AccountStores = openStores()): AccountData {
  const begunAt = performance.now();
  const isRestoring = createStore(true);
  let saved: SavedData | null = null;
  let stopSnapshots: () => void = () => undefined;
  let hadSalt = false;
  let secret: string | null = null;
  // A token alone is no session: a browser ended by force brings the cookie of one that was signed out of back.
  if (isWipeDue()) void wipe(stores, { present: isKnownSignedIn() ? ownerSecret() : null });
  const channel = openChannel((names) => void saved?.take(names));

  function close(): void {
    saved?.stop();
    stopSnapshots();
    saved = null;
  }

  function open(owner: Owner): SavedData {
    close();
    secret = owner.secret;
    const mayWrite = () => isStillOwner(owner);
    const encryptor = encryptorFromSecret(owner.secret, installSalt());
    hadSalt = isSaltKept();
    const findEncryptor = () => encryptor;
    stopSnapshots = saveSnapshots(client, { records: stores.paint, mayWrite, findEncryptor });
    return keepSaved(client, {
      records: stores.data,
      scope: 'account',
      mayWrite,
      findEncryptor,
      onSaved: (names) => channel.tell(names),
    });
  }

  const stop = watchOwner({
    isIntact: () => isSaltKept() || !hadSalt,
    onBegun: (owner) => {
      saved = open(owner);
    },
    onEmptied: (owner) => {
      saved = open(owner);
      void saved.flush();
    },
    onEnded: ({ isElsewhere }) => {
      close();
      const last = secret;
      secret = null;
      // Whoever ended it wipes, and may have begun anew by now.
      return isElsewhere || wipe(stores, { last });
    },
  });
  const restored = restoring().then(() => {
    performance.measure('saved-data-restored', { start: begunAt });
    isRestoring.set(false);
  });
  // The cookie may have run out, or been taken away without a sign-out.
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

export function openStores(): AccountStores {
  return {
    data: openRecords('account-data'),
    paint: openRecords('first-paint'),
    ended: openEndedSessions(),
  };
}

/**
 * What the owner known by `last` left on this device goes. One that a storage held up is made up for at a later
 * start, when another customer may have saved their own: nothing of the owner `present` is taken.
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
  // Without the owner's secret it cannot be read either way; the next start tries again.
  if (done.every(({ status }) => status === 'fulfilled') && ownerEpoch() === epoch) setWiped();
}

/** Emptied rather than deleted: deleting a database waits for every tab that has it open. */
async function empty(records: Records, present: string | null): Promise<void> {
  if (present === null) return records.clear();
  const { tag } = await encryptorFromSecret(present, installSalt());
  const stored = [...(await records.all())];
  const others = stored.filter(([, value]) => !isSavedRecord(value) || value.tag !== tag);
  await records.remove(others.map(([name]) => name));
}

function openChannel(onNames: (names: readonly string[]) => void): {
  tell: (names: string[]) => void;
  close: () => void;
} {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => undefined, close: () => undefined };
  const channel = new BroadcastChannel(TAB_CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data?.type === 'DATA') onNames(data.keys);
  });
  return {
    tell: (keys) => channel.postMessage({ type: 'DATA', keys, at: Date.now() } satisfies TabMessage),
    close: () => channel.close(),
  };
}
