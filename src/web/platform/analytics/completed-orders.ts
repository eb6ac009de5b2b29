import { readStoredJson, removeStored, writeStored } from '../browser-storage.ts';
import { createStore } from '../create-store.ts';
import { fingerprint } from '../fingerprint.ts';
import { wantedScripts } from './wanted-scripts.ts';

export type CompletedOrder = { reference: string; total: number; currency: string };

/** Marks of orders counted on this device, each once however often its page is opened; they tell no reference. */
const COUNTED_KEY = 'order-completed';
const COUNTED_LIMIT = 50;
/** Completed on a private page: counted by the next open one of this tab. */
const WAITING_KEY = 'order-completed-waiting';

/** Null until analytics are enabled. */
const counter = createStore<{ count: (order: CompletedOrder) => void } | null>(null);

/** Once per order on this device, and only when analytics are enabled; the order's id goes no further. */
export function orderCompleted({ reference, total, currency }: CompletedOrder): void {
  const mark = fingerprint(reference);
  const counted = countedFingerprints();
  if (wantedScripts().containerId === null || counted.includes(mark)) return;
  const order = { reference, total, currency };
  const analytics = counter.get();
  if (analytics === null) {
    writeStored(WAITING_KEY, JSON.stringify(order), 'sessionStorage');
    return;
  }
  // Without a place to remember it, the next visit would count it again.
  if (writeStored(COUNTED_KEY, JSON.stringify([...counted, mark].slice(-COUNTED_LIMIT))))
    analytics.count(order);
}

/** Analytics are enabled: what waited goes first. */
export function countCompletedOrders(count: (order: CompletedOrder) => void): void {
  counter.set({ count });
  const waiting = readStoredJson(WAITING_KEY, 'sessionStorage');
  if (!waiting) return;
  removeStored(WAITING_KEY, 'sessionStorage');
  orderCompleted(waiting as CompletedOrder);
}

function countedFingerprints(): string[] {
  const value = readStoredJson(COUNTED_KEY, 'localStorage');
  return Array.isArray(value) ? value.map(String) : [];
}
