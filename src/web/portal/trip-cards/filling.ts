import type { TripCard } from '#web/platform/api/types.ts';

/** How often a card is looked at while it is being filled. A look that fails is the last until one succeeds again. */
export const LOOK_EVERY_MS = 2000;
/** True of the moment only: not said of what was kept from before, nor painted before the app runs. */
export const ON_ITS_WAY = 'An automatic top-up is on its way.';
const SOON_MS = 60_000;

/** When a card below its line is topped up by itself: any moment, or at an instant; null: it is not about to be. */
export function fillingOf({ status, autoTopUp, balance, asOf }: TripCard): 'now' | { at: string } | null {
  if (status !== 'active' || autoTopUp?.state !== 'ok' || balance >= autoTopUp.threshold) return null;
  const { nextTryAt } = autoTopUp;
  if (nextTryAt === null || Date.parse(nextTryAt) - Date.parse(asOf) < SOON_MS) return 'now';
  return { at: nextTryAt };
}
