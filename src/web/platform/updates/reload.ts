import { message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import { readStoredJson, writeStored } from '../browser-storage.ts';
import { connectionPhase } from '../connection/connection.ts';
import { createStore } from '../create-store.ts';
import { notify } from '../notifications/notifications.ts';
import { RELOADS_KEY } from '../session/session.ts';
import { findBusyReason, isHardBusy } from './busy.ts';

const WINDOW = 10 * 60 * 1000;
const LIMIT = 2;

/** The customer asked for the first two, maybe a while ago; the others are automatic. */
export type ReloadCause = 'by-hand' | 'signed-out' | 'version' | 'provider-script' | 'call-stack';
type Reload = { cause: string; at: number };

/**
 * Reloads if it is allowed now: a payment may have begun since the caller checked. `about` distinguishes reloads of
 * the same cause, such as the release it is for. If it returns false, show the customer a notice.
 */
export function tryReload(cause: ReloadCause, about = ''): boolean {
  if (!mayReload(cause, about)) return false;
  if (!isRequested(cause)) storeReloads([...recentReloads(), { cause: cause + about, at: Date.now() }]);
  actions.get().reload();
  return true;
}

/**
 * Reloads that the customer asked for wait only for a pending payment. Automatic ones happen at most twice in ten
 * minutes and once per cause, and never offline or while the tab is busy.
 */
export function mayReload(cause: ReloadCause, about = ''): boolean {
  if (isHardBusy()) return false;
  if (isRequested(cause)) return true;
  const recent = recentReloads();
  if (recent.length >= LIMIT || recent.some((each) => each.cause === cause + about)) return false;
  if (connectionPhase.get() !== 'available' || navigator.onLine === false) return false;
  // While the provider's script loads, its form has no input yet.
  if (cause !== 'provider-script' && findBusyReason() !== null) return false;
  // Without storage to count reloads in, a broken page would reload endlessly. Writing the current list tests it.
  return storeReloads(recent);
}

/** Reloads for the customer, and starts a waiting release. Refused while a payment is pending. */
export function reloadPage(): void {
  if (!mayReload('by-hand')) notify(t(PAYMENT_UNDER_WAY), { type: 'warning' });
  else if (!actions.get().startUpdate()) tryReload('by-hand');
}

/** Lets the updater take over the customer's reload. The handler returns true if it does. */
export function onReloadPage(handler: () => boolean): void {
  actions.set((others) => ({ ...others, startUpdate: handler }));
}

/** Lets tests observe full reloads. */
export function onReload(handler: () => void): void {
  actions.set((others) => ({ ...others, reload: handler }));
}

const PAYMENT_UNDER_WAY = message(
  'Your payment is on its way. Please wait for its result before you reload.',
);

const actions = createStore({ startUpdate: (): boolean => false, reload: () => window.location.reload() });

function isRequested(cause: ReloadCause): boolean {
  return cause === 'by-hand' || cause === 'signed-out';
}

/** False if storage is not available. */
function storeReloads(reloads: readonly Reload[]): boolean {
  return writeStored(RELOADS_KEY, JSON.stringify(reloads), 'sessionStorage');
}

function recentReloads(): Reload[] {
  const value = readStoredJson(RELOADS_KEY, 'sessionStorage');
  const reloads: Reload[] = Array.isArray(value) ? value : [];
  return reloads.filter(({ at }) => Math.abs(Date.now() - at) < WINDOW);
}
