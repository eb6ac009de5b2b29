import { hostDescriptions } from '#contract/hosts.ts';
import { pageConfig } from '../page-config.ts';
import { currentSettings } from '../settings/settings.ts';
import { findDecision, objectsToTracking } from './consent-decision.ts';

export type ThirdPartyScripts = { containerId: string | null; recorderSiteId: number | null };

const NONE: ThirdPartyScripts = { containerId: null, recorderSiteId: null };

/** The third-party scripts that may run: configured, not objected to, and consented to if that is required. */
export function allowedScripts(): ThirdPartyScripts {
  const needsConsent = currentSettings().analytics.requires_consent;
  return needsConsent && findDecision() !== 'given' ? NONE : configuredScripts();
}

/** The third-party scripts of this page that are still configured in the latest settings and not objected to. */
export function configuredScripts(): ThirdPartyScripts {
  if (objectsToTracking()) return NONE;
  const { host, settings } = pageConfig();
  const { containerSetting } = hostDescriptions[host];
  if (containerSetting === null) return NONE;
  const current = currentSettings().analytics;
  // The page's security policy allows only the ids that the page was made with.
  const agreed = (key: 'tickets_container_id' | 'portal_container_id' | 'recorder_site_id') =>
    settings.analytics[key] === current[key] ? current[key] || null : null;
  const siteId = Number(agreed('recorder_site_id') ?? Number.NaN);
  return {
    containerId: agreed(containerSetting),
    recorderSiteId: Number.isInteger(siteId) && siteId > 0 ? siteId : null,
  };
}
