import { readStored, removeStored, writeStored } from '../browser-storage.ts';
import { wantedScripts } from './wanted-scripts.ts';

export type CompletedOrder = { reference: string; total: number; currency: string };

/** References counted on this device, so that an order is counted once however often its page is opened. */
const COUNTED_KEY = 'order-completed';
const COUNTED_LIMIT = 50;
/** Completed on a private page: counted by the next open one of this tab. */
const WAITING_KEY = 'order-completed-waiting';

let count: ((order: CompletedOrder) => void) | null = null;

/** Once per order reference on this device, and only once analytics are enabled; the order's id never gets here. */
export function orderCompleted({ reference, total, currency }: CompletedOrder): void {
  if (wantedScripts().containerId === null || countedReferences().includes(reference)) return;
  const order = { reference, total, currency };
  if (count === null) {
    writeStored(WAITING_KEY, JSON.stringify(order), 'sessionStorage');
    return;
  }
  const counted = [...countedReferences(), reference].slice(-COUNTED_LIMIT);
  // Without a place to remember it, the next visit would count it again.
  if (writeStored(COUNTED_KEY, JSON.stringify(counted))) count(order);
}

/** Analytics are enabled: what waited goes first. */
export function countCompletedOrders(next: ((order: CompletedOrder) => void) | null): void {
  count = next;
  const waiting = next && readJson(WAITING_KEY, 'sessionStorage');
  if (!waiting) return;
  removeStored(WAITING_KEY, 'sessionStorage');
  orderCompleted(waiting as CompletedOrder);
}

function countedReferences(): string[] {
  const value = readJson(COUNTED_KEY, 'localStorage');
  return Array.isArray(value) ? value.map(String) : [];
}

function readJson(key: string, area: 'localStorage' | 'sessionStorage'): unknown {
  try {
    return JSON.parse(readStored(key, area) ?? 'null');
  } catch {
    return null;
  }
}
