import { readStoredJson, removeStored, writeStored } from '../browser-storage.ts';
import { onSessionCleared, ownerFingerprint } from '../session/session.ts';
import { type Notification, notificationStore, notify } from './notifications.ts';

type Content = Pick<Notification, 'message' | 'type' | 'persistent'>;
type Stored = { owner: string | null; at: number; items: Content[] };

const KEY = 'notifications';
/** Milliseconds within which the next page must load. */
const LIFE = 60_000;

/**
 * Carries notifications over to the next page if it is a new document: they show once, in this tab, to the same
 * customer. `shownBefore` returns the ids that belong to the page being left.
 */
export function carryOverNotifications(shownBefore: () => ReadonlySet<string>): void {
  for (const { message, type, persistent } of takeStored()) notify(message, { type, persistent });
  let ofLastOwner: ReadonlySet<string> = new Set();
  onSessionCleared(() => {
    ofLastOwner = new Set(notificationStore.get().items.map(({ id }) => id));
  });
  window.addEventListener('pagehide', () => {
    const shown = shownBefore();
    const items = notificationStore
      .get()
      .items.filter(({ id, visible, callback }) => {
        return visible && callback === null && !shown.has(id) && !ofLastOwner.has(id);
      })
      .map(({ message, type, persistent }) => ({ message, type, persistent }));
    const stored: Stored = { owner: ownerFingerprint(), at: Date.now(), items };
    if (items.length > 0) writeStored(KEY, JSON.stringify(stored), 'sessionStorage');
  });
  // The browser restored this page from its back/forward cache, with its notifications.
  window.addEventListener('pageshow', removeStoredNotifications);
}

function takeStored(): readonly Content[] {
  const stored = readStoredJson(KEY, 'sessionStorage') as Stored | null;
  removeStoredNotifications();
  const isValid =
    stored !== null && Math.abs(Date.now() - stored.at) < LIFE && stored.owner === ownerFingerprint();
  return isValid ? stored.items : [];
}

function removeStoredNotifications(): void {
  removeStored(KEY, 'sessionStorage');
}
