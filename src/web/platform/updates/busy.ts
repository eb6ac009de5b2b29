/**
 * How much a reload would cost. `light`: what was typed is kept over it, so only a customer who looks on would
 * mind. `normal`: it would be lost. `hard`: money is on its way, and not even a press on "Reload" may end this page.
 */
export type BusyWeight = 'light' | 'normal' | 'hard';

/**
 * Reasons why this tab must not be reloaded by itself: a form being typed, a payment open. While any is held,
 * whoever wants a reload tells the customer instead.
 */
const tokens = new Map<symbol, { reason: string; weight: BusyWeight }>();
const idleListeners = new Set<() => void>();
const waitingForPayment: (() => void)[] = [];
let probe: () => string | null = () => null;

/** Holds until the answered function is called. */
export function beginBusy(reason: string, weight: BusyWeight = 'normal'): () => void {
  const token = Symbol(reason);
  tokens.set(token, { reason, weight });
  return () => {
    if (!tokens.delete(token)) return;
    if (!isHardBusy()) for (const listener of waitingForPayment.splice(0)) listener();
    if (tokens.size === 0) for (const listener of [...idleListeners]) listener();
  };
}

export function isBusy(): boolean {
  return busyReasons().length > 0;
}

export function isHardBusy(): boolean {
  return [...tokens.values()].some(({ weight }) => weight === 'hard');
}

/** Runs at once, or when the outcome of the money that is on its way is known. */
export function whenNoPaymentPending(listener: () => void): void {
  if (isHardBusy()) waitingForPayment.push(listener);
  else listener();
}

/** `lightToo`: also what only a customer who looks on would mind. */
export function busyReasons({ lightToo = document.visibilityState !== 'hidden' } = {}): string[] {
  return [...tokens.values()].flatMap(({ reason, weight }) =>
    lightToo || weight !== 'light' ? [reason] : [],
  );
}

/** Why this tab cannot be spared: what a screen says of itself, and what can be seen from outside of any screen. */
export function findBusyReason(): string | null {
  return busyReasons()[0] ?? probe();
}

/** The same without what only a customer who looks on would mind. */
export function findHeavyReason(): string | null {
  return busyReasons({ lightToo: false })[0] ?? probe();
}

/** From here on it is known what can be seen from outside; before the first screen rests there is nothing to see. */
export function setBusyProbe(find: () => string | null): void {
  probe = find;
}

/** Runs when the last reason is gone. */
export function onIdle(listener: () => void): () => void {
  idleListeners.add(listener);
  return () => {
    idleListeners.delete(listener);
  };
}
