import { pageConfig } from '../page-config.ts';
import { currentSettings } from '../settings/settings.ts';

export type WantedScripts = { containerId: string | null; recorderSiteId: number | null };

/** The third-party scripts that may run: configured, still configured in the latest settings, and not objected to. */
export function wantedScripts(): WantedScripts {
  if (objectsToTracking()) return { containerId: null, recorderSiteId: null };
  const { host, settings } = pageConfig();
  const current = currentSettings().analytics;
  // The page's security policy allows only the ids that the page was made with.
  const agreed = (key: keyof typeof current) =>
    settings.analytics[key] === current[key] ? current[key] || null : null;
  const siteId = Number(agreed('recorder_site_id') ?? Number.NaN);
  return {
    containerId: agreed(host === 'portal' ? 'portal_container_id' : 'tickets_container_id'),
    recorderSiteId: Number.isInteger(siteId) && siteId > 0 ? siteId : null,
  };
}

/** Global Privacy Control is binding. */
function objectsToTracking(): boolean {
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
}
