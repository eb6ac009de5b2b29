import { readStored, removeStored, writeStored } from '#web/platform/browser-storage.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

const KEY = 'has-tickets';

/** Whether this browser had tickets at the last visit. Available at once, but without the tickets. */
export function mayHaveSavedOrders(): boolean {
  return readStored(KEY) !== null;
}

export function rememberSavedOrders(hasOrders: boolean): void {
  if (hasOrders) writeStored(KEY, '1');
  else removeStored(KEY);
}

/** Reserves the height of the next trip if there may be one. */
export function NextTripSkeleton() {
  return mayHaveSavedOrders() ? <Skeleton height="15rem" /> : null;
}
