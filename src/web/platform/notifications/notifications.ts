import { createStore, useStore } from '../create-store.ts';

export type NotificationType = 'success' | 'alert' | 'warning' | 'message';
export type Notification = {
  id: string;
  message: string;
  /** What the notification's button does; null if it has none. */
  callback: (() => void) | null;
  /** The label of the button. */
  callbackLabel: string | null;
  type: NotificationType;
  /** Stays until it is dismissed. */
  persistent: boolean;
  visible: boolean;
  /** It has been on screen, so the next navigation may clear it. */
  displayed: boolean;
};
/** Why the page asks to be reloaded: a chunk is gone, a release is ready, or a release could not take over. */
export type ReloadReason = 'outdated' | 'ready' | 'failed';
export type Notifications = {
  items: readonly Notification[];
  notifyReload: boolean;
  reloadReason?: ReloadReason;
};

export const notificationStore = createStore<Notifications>({ items: [], notifyReload: false });

export function useNotifications(): Notifications {
  return useStore(notificationStore);
}

type NotifyOptions = { type?: NotificationType; persistent?: boolean } & (
  | { callback: () => void; callbackLabel: string }
  | { callback?: never; callbackLabel?: never }
);

export function notify(message: string, options: NotifyOptions = {}): string {
  const id = crypto.randomUUID();
  const { type = 'message', callback = null, callbackLabel = null, persistent = false } = options;
  const item: Notification = {
    id,
    message,
    callback,
    callbackLabel,
    type,
    persistent,
    visible: true,
    displayed: false,
  };
  notificationStore.set((state) => ({ ...state, items: [...state.items, item] }));
  return id;
}

export function hideNotification(id: string): void {
  change(id, { visible: false, displayed: true });
}

export function markDisplayed(id: string): void {
  change(id, { displayed: true });
}

export function displayedNotifications(): ReadonlySet<string> {
  return new Set(
    notificationStore
      .get()
      .items.filter((item) => item.displayed)
      .map((item) => item.id),
  );
}

export function clearDisplayedNotifications(ids = displayedNotifications()): void {
  notificationStore.set((state) =>
    state.items.some((item) => ids.has(item.id))
      ? { ...state, items: state.items.filter((item) => !ids.has(item.id)) }
      : state,
  );
}

/** Shows or hides the notice that asks to reload the page. */
export function setNotifyReload(notifyReload: boolean, reloadReason: ReloadReason = 'outdated'): void {
  notificationStore.set((state) =>
    state.notifyReload === notifyReload && state.reloadReason === reloadReason
      ? state
      : { ...state, notifyReload, reloadReason },
  );
}

function change(id: string, fields: Partial<Notification>): void {
  notificationStore.set((state) => ({
    ...state,
    items: state.items.map((item) => (item.id === id ? { ...item, ...fields } : item)),
  }));
}
