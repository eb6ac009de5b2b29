import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from 'react';
import { apiAvailable, checkApi } from '../connection/connection.ts';
import { whenState } from '../create-store.ts';
import { notificationStore, setNotifyReload } from '../notifications/notifications.ts';
import { isOutdatedBundle } from '../reporting/classify.ts';

/**
 * Handles a chunk that could not be loaded. If the API answers, its release is gone; otherwise the connection is
 * lost, which the overlay shows.
 */
export async function handleMissingChunk(): Promise<void> {
  const { notifyReload, reloadReason } = notificationStore.get();
  if (notifyReload && reloadReason === 'outdated') return;
  if (await checkApi()) setNotifyReload(true);
}

/** `preload` loads the component before it renders; a failure is reported when it renders. */
export type LazyComponent<Props> = FunctionComponent<Props> & { preload: () => void };

/**
 * A lazily loaded component. React caches a failed import for the lifetime of the page, so while the connection is
 * lost this waits instead of failing. A preloaded one never suspends: after a fallback, React would wait 300 ms.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  const set = (component: ComponentType<Props>) => {
    loaded = component;
    return component;
  };
  const Suspending = lazy(async () => ({ default: set(await loadWhenOnline(load)) }));
  function Late(props: Props) {
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Suspending);
    return createElement(Shown, props);
  }
  return Object.assign(Late, { preload: () => void load().then(set, () => undefined) });
}

export function preloadAll(...components: readonly { preload: () => void }[]): void {
  for (const { preload } of components) preload();
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
