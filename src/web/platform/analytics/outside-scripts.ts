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
/** What counts completed orders; null until it is loaded. */
const counter = createStore<{ count: (order: CompletedOrder) => void } | null>(null);

/**
 * Call it when the page is idle. Loads nothing if nothing is configured.
 * @returns true if the scripts wait for the visitor's consent
 */
export async function startOutsideScripts(): Promise<boolean> {
  if (!hasAnalytics(pageConfig().settings)) return false;
  const [{ startScripts }, { orderCompleted }] = await Promise.all([
    import('./start-scripts.ts'),
    import('./completed-orders.ts'),
  ]);
  counter.set({ count: orderCompleted });
  return startScripts(kind);
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
  const order = { reference, total, currency };
  const loaded = counter.get();
  // At once, because a private page follows as a new document.
  if (loaded) loaded.count(order);
  else
    import('./completed-orders.ts').then(
      ({ orderCompleted }) => orderCompleted(order),
      () => undefined,
    );
}
