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
const moneyListeners = new Set<() => void>();
let isWriting = () => false;

/** Holds until the answered function is called. */
export function beginBusy(reason: string, weight: BusyWeight = 'normal'): () => void {
  const token = Symbol(reason);
  tokens.set(token, { reason, weight });
  return () => {
    if (!tokens.delete(token)) return;
    if (!isHardBusy()) runMoneyListeners();
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
export function whenMoneyRests(listener: () => void): void {
  moneyListeners.add(listener);
  if (!isHardBusy()) runMoneyListeners();
}

function runMoneyListeners(): void {
  const due = [...moneyListeners];
  moneyListeners.clear();
  for (const listener of due) listener();
}

/** `lightToo`: also what only a customer who looks on would mind. */
export function busyReasons({ lightToo = document.visibilityState !== 'hidden' } = {}): string[] {
  return [...tokens.values()].flatMap(({ reason, weight }) =>
    lightToo || weight !== 'light' ? [reason] : [],
  );
}

/** Why this tab cannot be spared: what a screen says of itself, and what can be seen from outside of any screen. */
export function findBusyReason(): string | null {
  return busyReasons()[0] ?? findHeavyReason();
}

/** The same without what only a customer who looks on would mind. */
export function findHeavyReason(): string | null {
  const [reason] = busyReasons({ lightToo: false });
  if (reason !== undefined) return reason;
  if (isWriting()) return 'something being sent';
  if (document.querySelector('dialog[open]') !== null) return 'a dialog open';
  return isTyping(document.activeElement) ? 'something being typed' : null;
}

/** From here on it is known whether something is being sent. */
export function watchWrites(writes: () => boolean): void {
  isWriting = writes;
}

/** Runs when the last reason is gone. */
export function onIdle(listener: () => void): () => void {
  idleListeners.add(listener);
  return () => {
    idleListeners.delete(listener);
  };
}

function isTyping(element: Element | null): boolean {
  if (element instanceof HTMLTextAreaElement) return element.value !== '';
  return element instanceof HTMLInputElement && TYPED.test(element.type) && element.value !== '';
}

const TYPED = /^(text|email|tel|search|password|number|url)$/;
