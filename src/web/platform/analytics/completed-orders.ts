import { readStoredJson, removeStored, writeStored } from '../browser-storage.ts';
import { createStore } from '../create-store.ts';
import { fingerprint } from '../fingerprint.ts';
import { allowedScripts } from './third-party-scripts.ts';

export type CompletedOrder = { reference: string; total: number; currency: string };

/** Fingerprints of the orders counted on this device. They do not reveal the references. */
const COUNTED_KEY = 'order-completed';
const COUNTED_LIMIT = 50;
/** An order completed on a private page waits for this tab's next public one. */
const WAITING_KEY = 'order-completed-waiting';

/** Null until analytics are enabled. */
const counter = createStore<{ count: (order: CompletedOrder) => void } | null>(null);

/** Counts an order once per device, if analytics are enabled. The order's id is not sent. */
export function orderCompleted({ reference, total, currency }: CompletedOrder): void {
  const mark = fingerprint(reference);
  const counted = countedFingerprints();
  if (allowedScripts().containerId === null || counted.includes(mark)) return;
  const order = { reference, total, currency };
  const analytics = counter.get();
  if (analytics === null) {
    writeStored(WAITING_KEY, JSON.stringify(order), 'sessionStorage');
    return;
  }
  // If it cannot be stored, the next visit would count it again, so it is not counted.
  if (writeStored(COUNTED_KEY, JSON.stringify([...counted, mark].slice(-COUNTED_LIMIT))))
    analytics.count(order);
}

/** Enables counting. A waiting order is counted first. */
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
