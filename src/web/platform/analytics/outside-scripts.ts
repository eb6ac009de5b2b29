import { outsideScriptPages } from '#contract/outside-script-pages.ts';
import { pageConfig } from '../page-config.ts';
import { currentSettings } from '../settings/settings.ts';

/*
 * A script of somebody else reads the address and all that is typed, and nothing stops it once it runs. So it only
 * runs in documents that have shown open pages alone, and such a document is left for the first private page.
 */

export type OutsideScripts = { containerId: string | null; recorderSiteId: number | null };

/** `open`: has shown open pages alone. `shared`: others read along. `private`: nobody ever will. */
let kind: 'open' | 'shared' | 'private' = 'open';

/** What may run here: configured, still so when the settings were last read, and not objected to. */
export function wantedScripts(): OutsideScripts {
  if (objectsToTracking()) return { containerId: null, recorderSiteId: null };
  const { host, settings } = pageConfig();
  const current = currentSettings().analytics;
  // The page's policy lets in what the page was made with, and nothing else.
  const agreed = (key: keyof typeof current) =>
    settings.analytics[key] === current[key] ? current[key] || null : null;
  const siteId = Number(agreed('recorder_site_id') ?? Number.NaN);
  return {
    containerId: agreed(host === 'portal' ? 'portal_container_id' : 'tickets_container_id'),
    recorderSiteId: Number.isInteger(siteId) && siteId > 0 ? siteId : null,
  };
}

/** At start-up, when nobody waits any more. Loads nothing where nothing is configured. */
export async function startOutsideScripts(): Promise<void> {
  const { containerId, recorderSiteId } = wantedScripts();
  if (kind !== 'open' || (containerId === null && recorderSiteId === null)) return;
  const [{ initAnalytics }, { startRecording }] = await Promise.all([
    import('./tag-manager.ts'),
    import('./session-recording.ts'),
  ]);
  // Somebody may have gone to a private page meanwhile.
  if (kind !== 'open') return;
  kind = 'shared';
  if (containerId !== null) initAnalytics(containerId);
  if (recorderSiteId !== null) startRecording(recorderSiteId);
}

/** Asked before each page: true when it must be a document of its own, because others read along in this one. */
export function needsOwnDocument(pathname: string): boolean {
  if (isForAll(pathname)) return false;
  if (kind === 'shared') return true;
  kind = 'private';
  return false;
}

/** For tests, where one page is opened after another in the same document. */
export function forgetDocument(): void {
  kind = 'open';
}

function isForAll(pathname: string): boolean {
  const path = pathname.replace(/(?<=.)\/$/, '').split('/');
  return outsideScriptPages[pageConfig().host].some((page) => {
    const parts = page.split('/');
    return (
      parts.length === path.length && parts.every((part, at) => part.startsWith('{') || part === path[at])
    );
  });
}

/** Global Privacy Control: said by browsers, and binding. */
function objectsToTracking(): boolean {
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
}
