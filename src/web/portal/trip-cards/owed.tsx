import type { TripCard } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';

/** What the card could not pay when it was due. */
export function Owed({ card: { owed, currency } }: { card: TripCard }) {
  // A card that an earlier release saved on this device says nothing of it.
  if (!(owed > 0)) return null;
  return (
    <Notice type="warning" title={`${formatMoney(owed, currency)} still to pay`}>
      A fare or a disputed top-up is still unpaid. Your next top-up pays this first.
    </Notice>
  );
}
