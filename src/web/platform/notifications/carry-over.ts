import { readStoredJson, removeStored, writeStored } from '../browser-storage.ts';
import { onSessionCleared, ownerFingerprint } from '../session/session.ts';
import { type Notification, notificationStore, notify } from './notifications.ts';

type Said = Pick<Notification, 'message' | 'type' | 'persistent'>;
type Kept = { owner: string | null; at: number; items: Said[] };

const KEY = 'notifications';
/** Milliseconds within which the next page must load. */
const LIFE = 60_000;

/**
 * Carries notifications over to the next page if it is a new document: they show once, in this tab, to the same
 * customer. `shownBefore` returns the ids that belong to the page being left.
 */
export function carryOverNotifications(shownBefore: () => ReadonlySet<string>): void {
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
  // The browser restored this page from its back/forward cache, with its notifications.
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
