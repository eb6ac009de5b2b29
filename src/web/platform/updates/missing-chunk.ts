import { type ComponentType, lazy, useEffect } from 'react';
import { apiAvailable, checkApi } from '../connection/connection.ts';
import { whenState } from '../create-store.ts';
import { notificationStore, setNotifyReload } from '../notifications/notifications.ts';
import { isOutdatedBundle } from '../reporting/classify.ts';
import { whenIdle } from '../when-idle.ts';

/**
 * Handles a chunk that could not be loaded. If the API answers, its release is gone; otherwise the connection is
 * lost, which the overlay shows.
 */
export async function handleMissingChunk(): Promise<void> {
  const { notifyReload, reloadReason } = notificationStore.get();
  if (notifyReload && reloadReason === 'outdated') return;
  if (await checkApi()) setNotifyReload(true);
}

/**
 * A lazily loaded component. React caches a failed import for the lifetime of the page, so while the connection is
 * lost this waits instead of failing.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazy(async () => ({ default: await loadWhenOnline(load) }));
}

/** Loads the code of what is opened next when the page is idle, so that a tap waits for no file. */
export function usePreloaded(load: (() => Promise<unknown>) | null): void {
  // If it fails, the component itself waits for the connection.
  useEffect(() => (load ? whenIdle(() => void load().catch(() => undefined)) : undefined), [load]);
}

async function loadWhenOnline<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!isOutdatedBundle(error)) throw error;
    await handleMissingChunk();
    if (apiAvailable.get()) throw error;
  }
  await whenState(apiAvailable, (isAvailable): isAvailable is true => isAvailable);
  return loadWhenOnline(load);
}
