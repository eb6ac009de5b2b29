import { useEffect } from 'react';
import { createStore } from '../create-store.ts';

/**
 * What a reload would cost. `light`: a draft is kept, so it only disturbs a customer who is watching. `normal`: input
 * would be lost. `hard`: a payment is pending, and even "Reload" must not end this page.
 */
export type BusyWeight = 'light' | 'normal' | 'hard';

/** Why this tab must not reload automatically, such as an unfinished form or an open payment. */
const tokens = new Map<symbol, { reason: string; weight: BusyWeight }>();
const idleListeners = new Set<() => void>();
const waitingForPayment: (() => void)[] = [];
const probe = createStore({ findReason: (): string | null => null });

/** Marks the tab as busy until the returned function is called. */
export function beginBusy(reason: string, weight: BusyWeight = 'normal'): () => void {
  const token = Symbol(reason);
  tokens.set(token, { reason, weight });
  return () => {
    if (!tokens.delete(token)) return;
    if (!isHardBusy()) for (const listener of waitingForPayment.splice(0)) listener();
    if (tokens.size === 0) for (const listener of [...idleListeners]) listener();
  };
}

/** Prevents automatic reloads while input, or something shown only once, would be lost. */
export function useBusyWhile(isBusy: boolean, reason: string, weight: BusyWeight = 'normal'): void {
  useEffect(() => (isBusy ? beginBusy(reason, weight) : undefined), [isBusy, reason, weight]);
}

export function isBusy(): boolean {
  return busyReasons().length > 0;
}

export function isHardBusy(): boolean {
  return [...tokens.values()].some(({ weight }) => weight === 'hard');
}

/** Runs at once, or when no payment is pending any more. */
export function whenNoPaymentPending(listener: () => void): void {
  if (isHardBusy()) waitingForPayment.push(listener);
  else listener();
}

export function busyReasons(): string[] {
  const lightToo = document.visibilityState !== 'hidden';
  return [...tokens.values()].flatMap(({ reason, weight }) =>
    lightToo || weight !== 'light' ? [reason] : [],
  );
}

/** Why this tab cannot reload: a reason set by a screen, or found on the page by the probe. */
export function findBusyReason(): string | null {
  return busyReasons()[0] ?? probe.get().findReason();
}

/** Registers a check of the whole page, as opposed to the screens' own reasons. */
export function setBusyProbe(findReason: () => string | null): void {
  probe.set({ findReason });
}

/** Runs when the last reason ends. */
export function onIdle(listener: () => void): () => void {
  idleListeners.add(listener);
  return () => {
    idleListeners.delete(listener);
  };
}
