import { readStoredJson, removeStored, writeStored } from '#web/platform/browser-storage.ts';
import type { IdempotencyKeys } from '#web/platform/idempotency/idempotent-writes.ts';
import { onSessionCleared } from '#web/platform/session/session.ts';

export type TopUpInput = {
  amount: number;
  /** A saved card; null if a new card is entered. */
  paymentCardId: string | null;
  saveCard: boolean;
};

/** A top-up whose outcome is unknown to this page. Holds no secret and no card data. */
export type PendingTopUp = TopUpInput & {
  tripCardId: string;
  topUpId: string | null;
  /** It may have been paid, so it must not be paid again. */
  isSent: boolean;
  idempotencyKeys: IdempotencyKeys;
};

const KEY = 'trip-card-top-up';

onSessionCleared(removePendingTopUp);

export function savePendingTopUp(pending: PendingTopUp): void {
  writeStored(KEY, JSON.stringify(pending), 'sessionStorage');
}

export function removePendingTopUp(): void {
  removeStored(KEY, 'sessionStorage');
}

/** The pending top-up of this tab, for example from before a reload. */
export function findPendingTopUp(tripCardId: string): PendingTopUp | null {
  const value = readStoredJson(KEY, 'sessionStorage');
  return isPending(value) && value.tripCardId === tripCardId ? value : null;
}

function isPending(value: unknown): value is PendingTopUp {
  if (typeof value !== 'object' || value === null) return false;
  const { tripCardId, amount, isSent, idempotencyKeys } = value as Record<string, unknown>;
  return (
    typeof tripCardId === 'string' &&
    typeof amount === 'number' &&
    typeof isSent === 'boolean' &&
    typeof idempotencyKeys === 'object' &&
    idempotencyKeys !== null
  );
}
