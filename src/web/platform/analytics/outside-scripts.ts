import { findPage } from '#contract/pages.ts';
import { createStore } from '../create-store.ts';
import { pageConfig } from '../page-config.ts';
import { wantedScripts } from './wanted-scripts.ts';

/*
 * A third-party script can read the address and all input, and cannot be stopped. So it only runs in documents that
 * have shown public pages alone, and the first private page loads as a new document.
 */

/** `open`: has shown public pages only. `shared`: third-party scripts run. `private`: they never will. */
const kind = createStore<'open' | 'shared' | 'private'>('open');

/** Call it when the page is idle. Loads nothing if nothing is configured. */
export async function startOutsideScripts(): Promise<void> {
  const { containerId, recorderSiteId } = wantedScripts();
  if (kind.get() !== 'open' || (containerId === null && recorderSiteId === null)) return;
  const [{ initAnalytics }, { startRecording }] = await Promise.all([
    import('./tag-manager.ts'),
    import('./session-recording.ts'),
  ]);
  // The customer may have opened a private page meanwhile.
  if (kind.get() !== 'open') return;
  kind.set('shared');
  if (containerId !== null) initAnalytics(containerId);
  if (recorderSiteId !== null) startRecording(recorderSiteId);
}

/** True if the next page must be a new document, because third-party scripts run in this one. */
export function needsOwnDocument(pathname: string): boolean {
  if (findPage(pageConfig().host, pathname)?.allowsOutsideScripts) return false;
  if (kind.get() === 'shared') return true;
  kind.set('private');
  return false;
}
