import { readStoredJson, removeStored, writeStored } from '#web/platform/browser-storage.ts';
import type { IdempotencyKeys } from '#web/platform/idempotency/idempotent-writes.ts';
import { onSessionCleared } from '#web/platform/session/session.ts';

export type TopUpInput = {
  amount: number;
  /** A saved card; null: a new card is entered. */
  paymentCardId: string | null;
  saveCard: boolean;
};

/** A top-up whose outcome is unknown to this page. Holds no secret and no card data. */
export type PendingTopUp = TopUpInput & {
  tripCardId: string;
  topUpId: string | null;
  /** Money may be on its way: it must not be paid again. */
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

/** This tab's top-up of a card, from before a reload for instance. */
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
