import { readStored, writeStored } from '../browser-storage.ts';
import { connectionPhase } from '../connection/connection.ts';
import { notify } from '../notifications/notifications.ts';
import { RELOADS_KEY } from '../session/session.ts';
import { isBusy, isHardBusy } from './busy.ts';

const WINDOW = 10 * 60 * 1000;
const LIMIT = 2;

export type ReloadCause = 'version' | 'provider-script' | 'call-stack';
type Reload = { cause: string; at: number };
type ReloadOptions = {
  /** Milliseconds until it happens. */
  delay?: number;
  /** What sets it apart from others of its cause: the release it is for. */
  about?: string;
};

/**
 * Reloads without being asked, at most twice in ten minutes over all causes and once for one cause, never
 * offline and never while the tab is busy. False says it did not: then tell the customer.
 */
export function reloadAutomatically(
  cause: ReloadCause,
  { delay = 0, about = '' }: ReloadOptions = {},
): boolean {
  if (!mayReload(cause, about)) return false;
  // Without a place to count in, a broken page would reload for ever.
  const counted = JSON.stringify([...recentReloads(), { cause: cause + about, at: Date.now() }]);
  if (!writeStored(RELOADS_KEY, counted, 'sessionStorage')) return false;
  if (delay === 0) reload();
  else setTimeout(reload, delay);
  return true;
}

/** Whether it would, now. */
export function mayReload(cause: ReloadCause, about = ''): boolean {
  const recent = recentReloads();
  if (recent.length >= LIMIT || recent.some((each) => each.cause === cause + about)) return false;
  if (connectionPhase.get() !== 'available' || navigator.onLine === false) return false;
  // Whoever waits for the provider's script has typed nothing into its form yet.
  return !(cause === 'provider-script' ? isHardBusy() : isBusy());
}

/** The customer asked for it: a release that waits starts with it. Refused while a payment is on its way. */
export function reloadPage(): void {
  if (isHardBusy()) notify(PAYMENT_UNDER_WAY, { type: 'warning' });
  else if (!startsUpdate()) reload();
}

/** Whoever has a release waiting takes the customer's reload over, and answers true. */
export function onReloadPage(handler: () => boolean): void {
  startsUpdate = handler;
}

/** Full reloads go through here, so that tests can watch them. */
export function onReload(handler: () => void): void {
  reload = handler;
}

/** The reload itself, where all has been asked and counted. */
export function reloadNow(): void {
  reload();
}

const PAYMENT_UNDER_WAY = 'Your payment is on its way. Please wait for its result before you reload.';

let startsUpdate = () => false;
let reload = () => window.location.reload();

function recentReloads(): Reload[] {
  try {
    const value: unknown = JSON.parse(readStored(RELOADS_KEY, 'sessionStorage') ?? '[]');
    const reloads: Reload[] = Array.isArray(value) ? value : [];
    return reloads.filter(({ at }) => Math.abs(Date.now() - at) < WINDOW);
  } catch {
    return [];
  }
}
