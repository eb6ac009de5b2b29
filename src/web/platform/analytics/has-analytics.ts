import { hostDescriptions } from '#contract/hosts.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { pageConfig } from '../page-config.ts';

/** Whether third-party scripts may run on this host, and the operator has configured a tag manager or a recorder. */
export function hasAnalytics({ analytics }: Pick<WebSettings, 'analytics'>): boolean {
  if (hostDescriptions[pageConfig().host].containerSetting === null) return false;
  return Object.values(analytics).some((value) => typeof value === 'string');
}
