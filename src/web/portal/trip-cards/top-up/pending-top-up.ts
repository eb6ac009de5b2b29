import { readStored, removeStored, writeStored } from '#web/platform/browser-storage.ts';
import { onSessionCleared } from '#web/platform/session/session.ts';

/** A top-up whose end is not known on this page yet. There is no secret in it, and nothing of the payment card. */
export type PendingTopUp = {
  tripCardId: string;
  /** Names the request, so that sent again it is the same one. */
  key: string;
  amount: number;
  /** A saved card; null: a new one is entered. */
  paymentCardId: string | null;
  saveCard: boolean;
  topUpId: string | null;
  /** Money may be on its way: from here on it must not be paid again. */
  isSent: boolean;
};

const KEY = 'trip-card-top-up';

onSessionCleared(forgetPendingTopUp);

export function keepPendingTopUp(pending: PendingTopUp): void {
  writeStored(KEY, JSON.stringify(pending), 'sessionStorage');
}

export function forgetPendingTopUp(): void {
  removeStored(KEY, 'sessionStorage');
}

/** What this tab was about with this card, before a reload for instance. */
export function findPendingTopUp(tripCardId: string): PendingTopUp | null {
  try {
    const value: unknown = JSON.parse(readStored(KEY, 'sessionStorage') ?? 'null');
    return isPending(value) && value.tripCardId === tripCardId ? value : null;
  } catch {
    return null;
  }
}

function isPending(value: unknown): value is PendingTopUp {
  if (typeof value !== 'object' || value === null) return false;
  const { tripCardId, key, amount, isSent } = value as Record<string, unknown>;
  return (
    typeof tripCardId === 'string' &&
    typeof key === 'string' &&
    typeof amount === 'number' &&
    typeof isSent === 'boolean'
  );
}
