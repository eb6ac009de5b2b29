import { readStoredJson, removeStored, writeStored } from '../browser-storage.ts';
import { ownerFingerprint } from '../session/owner-fingerprint.ts';
import { onSessionCleared } from '../session/session.ts';
import { type Notification, notificationStore, notify } from './notifications.ts';

type Said = Pick<Notification, 'message' | 'type' | 'persistent'>;
type Kept = { owner: string | null; at: number; items: Said[] };

const KEY = 'notifications';
/** Milliseconds. No page takes longer to follow another. */
const LIFE = 60_000;

/**
 * What is said on the way to a page belongs to that page, also when it is a document of its own: it is said there once,
 * in this tab, to the same customer. `shownBefore` names what belongs to the page that is left.
 */
export function keepNotificationsOverLoads(shownBefore: () => ReadonlySet<string>): void {
  for (const { message, type, persistent } of takeKept()) notify(message, { type, persistent });
  let toTheLast: ReadonlySet<string> = new Set();
  onSessionCleared(() => {
    toTheLast = new Set(notificationStore.get().items.map(({ id }) => id));
  });
  window.addEventListener('pagehide', () => {
    const past = shownBefore();
    const items = notificationStore
      .get()
      .items.filter(({ id, visible, callback }) => {
        return visible && callback === null && !past.has(id) && !toTheLast.has(id);
      })
      .map(({ message, type, persistent }) => ({ message, type, persistent }));
    const kept: Kept = { owner: ownerFingerprint(), at: Date.now(), items };
    if (items.length > 0) writeStored(KEY, JSON.stringify(kept), 'sessionStorage');
  });
  // The same page came back from the browser's memory, with all that is on it.
  window.addEventListener('pageshow', forgetKept);
}

function takeKept(): readonly Said[] {
  const kept = readStoredJson(KEY, 'sessionStorage') as Kept | null;
  forgetKept();
  const isGood = kept !== null && Math.abs(Date.now() - kept.at) < LIFE && kept.owner === ownerFingerprint();
  return isGood ? kept.items : [];
}

function forgetKept(): void {
  removeStored(KEY, 'sessionStorage');
}
