import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { apiAvailable } from '../connection/connection.ts';
import { lookOnce } from '../connection/reach.ts';
import { whenState } from '../create-store.ts';
import { notificationStore, setNotifyReload } from '../notifications/notifications.ts';
import { isOutdatedBundle } from '../reporting/classify.ts';

/**
 * A part of the page could not be had. That is a release that is gone only where the API answers; else it is the
 * connection, which is told by its own means.
 */
export async function tellMissingPart(): Promise<void> {
  const { notifyReload, reloadReason } = notificationStore.get();
  if (notifyReload && reloadReason === 'outdated') return;
  if (await lookOnce()) setNotifyReload(true);
}

/**
 * A part of a screen with a bundle of its own. A failure would be remembered for the page's whole life, so while
 * nothing gets through it waits for the connection instead of failing.
 */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadPatiently(load) }));
}

async function loadPatiently<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!isOutdatedBundle(error)) throw error;
    await tellMissingPart();
    if (apiAvailable.get()) throw error;
  }
  await whenState(apiAvailable, (isAvailable): isAvailable is true => isAvailable);
  return loadPatiently(load);
}
