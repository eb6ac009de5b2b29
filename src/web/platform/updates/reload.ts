import { readStored, writeStored } from '../browser-storage.ts';
import { apiAvailable } from '../connection/connection.ts';
import { isBusy } from './busy.ts';

const KEY = 'automatic-reloads';
const WINDOW = 10 * 60 * 1000;
const LIMIT = 2;

export type ReloadCause = 'version' | 'provider-script' | 'call-stack';
type Reload = { cause: ReloadCause; at: number };

/**
 * Reloads without being asked, at most twice in ten minutes over all causes and once for one cause, never
 * offline and never while the tab is busy. False says it did not: then tell the customer.
 */
export function reloadAutomatically(cause: ReloadCause, delay = 0): boolean {
  const now = Date.now();
  const recent = readReloads().filter((reload) => now - reload.at < WINDOW);
  if (recent.length >= LIMIT || recent.some((reload) => reload.cause === cause)) return false;
  if (isBusy() || !apiAvailable.get() || navigator.onLine === false) return false;
  // Without a place to count in, a broken page would reload for ever.
  if (!writeStored(KEY, JSON.stringify([...recent, { cause, at: now }]), 'sessionStorage')) return false;
  if (delay === 0) reload();
  else setTimeout(reload, delay);
  return true;
}

export function reloadPage(): void {
  reload();
}

/** Full reloads go through here, so that tests can watch them. */
export function onReload(handler: () => void): void {
  reload = handler;
}

let reload = () => window.location.reload();

function readReloads(): Reload[] {
  try {
    const value: unknown = JSON.parse(readStored(KEY, 'sessionStorage') ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
