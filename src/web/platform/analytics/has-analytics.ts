import type { WebSettings } from '#contract/settings/schemas.ts';

/** Whether the operator has configured a tag manager or a recorder for either host. */
export function hasAnalytics({ analytics }: Pick<WebSettings, 'analytics'>): boolean {
  return Object.values(analytics).some((value) => typeof value === 'string');
}
