import { findPage } from '#contract/pages.ts';
import { createStore } from '../create-store.ts';
import { pageConfig } from '../page-config.ts';
import { wantedScripts } from './wanted-scripts.ts';

/*
 * A script of somebody else reads the address and all that is typed, and nothing stops it once it runs. So it only
 * runs in documents that have shown open pages alone, and such a document is left for the first private page.
 */

/** `open`: has shown open pages alone. `shared`: others read along. `private`: nobody ever will. */
const kind = createStore<'open' | 'shared' | 'private'>('open');

/** At start-up, when nobody waits any more. Loads nothing where nothing is configured. */
export async function startOutsideScripts(): Promise<void> {
  const { containerId, recorderSiteId } = wantedScripts();
  if (kind.get() !== 'open' || (containerId === null && recorderSiteId === null)) return;
  const [{ initAnalytics }, { startRecording }] = await Promise.all([
    import('./tag-manager.ts'),
    import('./session-recording.ts'),
  ]);
  // Somebody may have gone to a private page meanwhile.
  if (kind.get() !== 'open') return;
  kind.set('shared');
  if (containerId !== null) initAnalytics(containerId);
  if (recorderSiteId !== null) startRecording(recorderSiteId);
}

/** Asked before each page: true when it must be a document of its own, because others read along in this one. */
export function needsOwnDocument(pathname: string): boolean {
  if (findPage(pageConfig().host, pathname)?.allowsOutsideScripts) return false;
  if (kind.get() === 'shared') return true;
  kind.set('private');
  return false;
}
