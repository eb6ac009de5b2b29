import { vi } from 'vitest';
import { findPage } from '#contract/pages.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { orderCompleted } from '#web/platform/analytics/completed-orders.ts';
import { needsOwnDocument, startOutsideScripts } from '#web/platform/analytics/outside-scripts.ts';
import { providePageConfig } from '#web/platform/page-config.ts';
import { settingsStore } from '#web/platform/settings/settings.ts';
import { buildPageConfig, findHost, openPage } from '../page.ts';
import { resetStores } from '../reset-stores.ts';

export type Analytics = Partial<WebSettings['analytics']>;

/**
 * Opens a new document at an address, as after a full load. `scripts` lists the third-party scripts that it requests;
 * nothing is fetched.
 */
export function openDocument(url: string, analytics: Analytics, isObjectedTo = false) {
  resetStores();
  for (const name of ['dataLayer', 'hj', '_hjSettings']) Reflect.deleteProperty(window, name);
  document.body.removeAttribute('data-hj-suppress');
  Object.defineProperty(navigator, 'globalPrivacyControl', { value: isObjectedTo, configurable: true });
  const none = {
    tickets_container_id: null,
    portal_container_id: null,
    recorder_site_id: null,
    requires_consent: false,
  };
  const base = buildPageConfig();
  const host = findHost(url);
  const config = {
    ...base,
    host,
    settings: { ...base.settings, analytics: { ...none, ...analytics } },
  } as const;
  providePageConfig(config);
  const scripts: string[] = [];
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) if (node instanceof HTMLScriptElement) scripts.push(node.src);
  });
  const pushed = () => (Reflect.get(window, 'dataLayer') ?? []) as Record<string, unknown>[];
  const enter = (path: string) => needsOwnDocument(findPage(host, path) ?? { title: null, guard: 'open' });
  enter(new URL(url).pathname);
  return {
    scripts,
    enter,
    pushed,
    completed: () => pushed().filter(({ event }) => event === 'order-completed'),
    start: startOutsideScripts,
    orderCompleted,
    settingsStore,
  };
}

/** Clears the storage and closes the document. */
export function resetDocuments(): void {
  openPage();
}
