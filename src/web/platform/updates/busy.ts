/**
 * Reasons why this tab must not be reloaded by itself: a form being typed, a payment open. While any is held,
 * whoever wants a reload tells the customer instead.
 */
const reasons = new Map<symbol, string>();
const idleListeners = new Set<() => void>();

/** Holds until the answered function is called. */
export function beginBusy(reason: string): () => void {
  const token = Symbol(reason);
  reasons.set(token, reason);
  return () => {
    if (reasons.delete(token) && reasons.size === 0) for (const listener of [...idleListeners]) listener();
  };
}

export function isBusy(): boolean {
  return reasons.size > 0;
}

export function busyReasons(): string[] {
  return [...reasons.values()];
}

export function onIdle(listener: () => void): () => void {
  idleListeners.add(listener);
  return () => {
    idleListeners.delete(listener);
  };
}
