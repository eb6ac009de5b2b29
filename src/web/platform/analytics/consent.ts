import Cookies from 'js-cookie';
import { pageConfig } from '../page-config.ts';
import { writeCookie } from '../session/cookies.ts';
import { currentSettings } from '../settings/settings.ts';
import { CONSENT_COOKIE, type ConsentDecision, findDecision } from './consent-decision.ts';
import { configuredScripts } from './third-party-scripts.ts';

/** After this the visitor is asked again. */
const REMEMBERED_DAYS = 180;
/** Cookies of the tag manager's analytics and of the recorder. */
const TRACKING_COOKIE = /^_(ga|gid|gat|gcl|hj)/;

/** Whether scripts would run on this page if the visitor consented, who has not decided yet. */
export function isConsentMissing(): boolean {
  const { containerId, recorderSiteId } = configuredScripts();
  const isConfigured = containerId !== null || recorderSiteId !== null;
  return isConfigured && currentSettings().analytics.requires_consent && findDecision() === null;
}

/** Remembers the decision for both hosts. A refusal also deletes the cookies that the scripts have set. */
export function storeDecision(decision: ConsentDecision): void {
  writeCookie(CONSENT_COOKIE, decision, REMEMBERED_DAYS);
  if (decision === 'refused') removeTrackingCookies();
}

function removeTrackingCookies(): void {
  const domains = [undefined, window.location.hostname, pageConfig().parent_domain];
  for (const name of Object.keys(Cookies.get()).filter((each) => TRACKING_COOKIE.test(each))) {
    for (const domain of domains) Cookies.remove(name, domain === undefined ? {} : { domain });
  }
}
