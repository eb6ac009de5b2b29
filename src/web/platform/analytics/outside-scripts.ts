import type { Page } from '#contract/page.ts';
import { createStore, type ReadableStore } from '../create-store.ts';
import { pageConfig } from '../page-config.ts';
import type { CompletedOrder } from './completed-orders.ts';
import { hasAnalytics } from './has-analytics.ts';

/*
 * A third-party script can read the address and all input, and cannot be stopped. So it only runs in documents that
 * have shown public pages alone, and the first private page loads as a new document.
 */

/** `open`: has shown public pages only. `shared`: third-party scripts run. `private`: they never will. */
const kind = createStore<'open' | 'shared' | 'private'>('open');
export const documentKind: ReadableStore<'open' | 'shared' | 'private'> = kind;

/**
 * Call it when the page is idle. Loads nothing if nothing is configured.
 * @returns true if the scripts wait for the visitor's consent
 */
export async function startOutsideScripts(): Promise<boolean> {
  if (!hasAnalytics(pageConfig().settings)) return false;
  return (await import('./start-scripts.ts')).startScripts(kind);
}

/** True if a page must be a new document, because third-party scripts run in this one. */
export function needsOwnDocument({ allowsOutsideScripts }: Page): boolean {
  if (allowsOutsideScripts) return false;
  if (kind.get() === 'shared') return true;
  kind.set('private');
  return false;
}

/** Counts an order once per device, if analytics are enabled. */
export function reportCompletedOrder({ reference, total, currency }: CompletedOrder): void {
  if (!hasAnalytics(pageConfig().settings)) return;
  import('./completed-orders.ts').then(
    ({ orderCompleted }) => orderCompleted({ reference, total, currency }),
    () => undefined,
  );
}
