import { vi } from 'vitest';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { buildPageConfig, openPage, TICKETS } from '../page.ts';

export type Analytics = Partial<WebSettings['analytics']>;

/**
 * A document of its own at an address, as after a full load: what runs in it begins anew. `scripts` are those it
 * asked others for; nothing is fetched.
 */
export async function openDocument(url: string, analytics: Analytics, isObjectedTo = false) {
  vi.resetModules();
  for (const name of ['dataLayer', 'hj', '_hjSettings']) Reflect.deleteProperty(window, name);
  document.body.removeAttribute('data-hj-suppress');
  Object.defineProperty(navigator, 'globalPrivacyControl', { value: isObjectedTo, configurable: true });
  const none = { tickets_container_id: null, portal_container_id: null, recorder_site_id: null };
  const base = buildPageConfig();
  const host = url.startsWith(TICKETS) ? 'tickets' : 'portal';
  const config = {
    ...base,
    host,
    settings: { ...base.settings, analytics: { ...none, ...analytics } },
  } as const;
  const { providePageConfig } = await import('#web/platform/page-config.ts');
  providePageConfig(config);
  const scripts: string[] = [];
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) if (node instanceof HTMLScriptElement) scripts.push(node.src);
  });
  const outside = await import('#web/platform/analytics/outside-scripts.ts');
  const { orderCompleted } = await import('#web/platform/analytics/completed-orders.ts');
  const { settingsStore } = await import('#web/platform/settings/settings.ts');
  const pushed = () => (Reflect.get(window, 'dataLayer') ?? []) as Record<string, unknown>[];
  const enter = (path: string) => outside.needsOwnDocument(path);
  enter(new URL(url).pathname);
  return {
    scripts,
    enter,
    pushed,
    completed: () => pushed().filter(({ event }) => event === 'order-completed'),
    start: outside.startOutsideScripts,
    orderCompleted,
    settingsStore,
  };
}

/** Nothing is stored, and no document is open. */
export function forgetDocuments(): void {
  openPage();
}
