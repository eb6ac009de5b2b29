import type { TripCard } from '#web/platform/api/types.ts';

export const REFETCH_EVERY_MS = 2000;
/** Shown only for fresh data, and never painted from a saved screen. */
export const AUTO_TOP_UP_PENDING = 'An automatic top-up is on its way.';
const SOON_MS = 60_000;

/** When a card below its threshold is topped up automatically; null if it is not going to be. */
export function findNextAutoTopUp({
  status,
  autoTopUp,
  balance,
  asOf,
}: TripCard): 'now' | { at: string } | null {
  if (status !== 'active' || autoTopUp?.state !== 'ok' || balance >= autoTopUp.threshold) return null;
  const { nextTryAt } = autoTopUp;
  if (nextTryAt === null || Date.parse(nextTryAt) - Date.parse(asOf) < SOON_MS) return 'now';
  return { at: nextTryAt };
}
