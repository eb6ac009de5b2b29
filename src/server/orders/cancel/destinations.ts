import type { RefundDestination } from '#contract/orders/cancel/schemas.ts';
import type { OrderRecord } from '../queries.ts';

/** What goes back to a payment; with `trips`, to a pass. */
type Part = { id: string; amount: number; trips?: number };

/** Where the parts of a refund go. The digits are for the owner only. */
export function presentDestinations(
  { payments, tripCardNumbers }: OrderRecord,
  { parts, isOwner }: { parts: readonly Part[]; isOwner: boolean },
): RefundDestination[] {
  return parts.map(({ id, ...part }) => {
    const payment = payments.find((each) => each.id === id);
    const tripCardId = payment?.tripCardId ?? null;
    const lastFour = tripCardId === null ? payment?.cardLastFour : tripCardNumbers.get(tripCardId)?.slice(-4);
    return {
      destination: payment?.method ?? 'card',
      network: (isOwner && payment?.cardNetwork) || null,
      last_four: (isOwner && lastFour) || null,
      ...part,
    };
  });
}
