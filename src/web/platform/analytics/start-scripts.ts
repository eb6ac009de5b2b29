import type { Store } from '../create-store.ts';
import { isConsentMissing } from './consent.ts';
import { startRecording } from './session-recording.ts';
import { initAnalytics } from './tag-manager.ts';
import { allowedScripts } from './third-party-scripts.ts';

/**
 * Starts the third-party scripts that may run.
 * @param kind the document's; `open` becomes `shared`
 * @returns true if they wait for the visitor's consent
 */
export function startScripts(kind: Store<'open' | 'shared' | 'private'>): boolean {
  if (kind.get() !== 'open') return false;
  const { containerId, recorderSiteId } = allowedScripts();
  if (containerId === null && recorderSiteId === null) return isConsentMissing();
  kind.set('shared');
  if (containerId !== null) initAnalytics(containerId);
  if (recorderSiteId !== null) startRecording(recorderSiteId);
  return false;
}
