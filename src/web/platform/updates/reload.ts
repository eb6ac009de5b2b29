import { readStoredJson, writeStored } from '../browser-storage.ts';
import { connectionPhase } from '../connection/connection.ts';
import { notify } from '../notifications/notifications.ts';
import { RELOADS_KEY } from '../session/session.ts';
import { findBusyReason, isHardBusy } from './busy.ts';

const WINDOW = 10 * 60 * 1000;
const LIMIT = 2;

/** The first two the customer asked for, maybe a while ago; the others nobody did. */
export type ReloadCause = 'by-hand' | 'signed-out' | 'version' | 'provider-script' | 'call-stack';
type Reload = { cause: string; at: number };

/**
 * Reloads if it may. That is asked here, at the very moment, whoever asked before: a payment may have begun since.
 * `about` sets it apart from others of its cause: the release it is for. False says it did not: then tell the customer.
 */
export function tryReload(cause: ReloadCause, about = ''): boolean {
  if (!mayReload(cause, about)) return false;
  if (!isAskedFor(cause)) keepReloads([...recentReloads(), { cause: cause + about, at: Date.now() }]);
  reload();
  return true;
}

/**
 * What was asked for waits for nothing but money on its way. All else happens at most twice in ten minutes over all
 * causes and once for one cause, never offline and never while the tab is busy.
 */
export function mayReload(cause: ReloadCause, about = ''): boolean {
  if (isHardBusy()) return false;
  if (isAskedFor(cause)) return true;
  const recent = recentReloads();
  if (recent.length >= LIMIT || recent.some((each) => each.cause === cause + about)) return false;
  if (connectionPhase.get() !== 'available' || navigator.onLine === false) return false;
  // Whoever waits for the provider's script has typed nothing into its form yet.
  if (cause !== 'provider-script' && findBusyReason() !== null) return false;
  // Without a place to count in, a broken page would reload for ever: keeping what is there already shows it.
  return keepReloads(recent);
}

/** The customer asked for it: a release that waits starts with it. Refused while a payment is on its way. */
export function reloadPage(): void {
  if (!mayReload('by-hand')) notify(PAYMENT_UNDER_WAY, { type: 'warning' });
  else if (!startsUpdate()) tryReload('by-hand');
}

/** Whoever has a release waiting takes the customer's reload over, and answers true. */
export function onReloadPage(handler: () => boolean): void {
  startsUpdate = handler;
}

/** Full reloads go through here, so that tests can watch them. */
export function onReload(handler: () => void): void {
  reload = handler;
}

const PAYMENT_UNDER_WAY = 'Your payment is on its way. Please wait for its result before you reload.';

let startsUpdate = () => false;
let reload = () => window.location.reload();

function isAskedFor(cause: ReloadCause): boolean {
  return cause === 'by-hand' || cause === 'signed-out';
}

/** False when nothing can be kept. */
function keepReloads(reloads: readonly Reload[]): boolean {
  return writeStored(RELOADS_KEY, JSON.stringify(reloads), 'sessionStorage');
}

function recentReloads(): Reload[] {
  const value = readStoredJson(RELOADS_KEY, 'sessionStorage');
  const reloads: Reload[] = Array.isArray(value) ? value : [];
  return reloads.filter(({ at }) => Math.abs(Date.now() - at) < WINDOW);
}
