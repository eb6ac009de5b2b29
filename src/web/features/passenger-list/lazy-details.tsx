import type { Order } from '#web/platform/api/types.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';

/** Loaded for orders that need it only. */
export const TravelerDetails = lazyComponent(
  async () => (await import('./traveler-details.tsx')).TravelerDetails,
);

/** Whether the law asks for the details of the travelers of an order. */
export function needsPassengerList({ legs, status }: Order): boolean {
  const isOpen = status === 'confirmed' || status === 'partly_canceled';
  return isOpen && legs.some((leg) => leg.needsPassengerList === true);
}
