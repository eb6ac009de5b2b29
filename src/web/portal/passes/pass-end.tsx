import type { PassCard } from '#web/platform/api/types.ts';
import { formatDate } from '../parts/timestamp.tsx';
import { isExpired } from '../trip-cards/trip-card.ts';

/** Until when a pass is valid; nothing for one without an end. `now` in milliseconds. */
export function PassEnd({ card, now }: { card: PassCard; now: number }) {
  if (card.validUntil === null) return null;
  return (
    <p>
      {/* Without a zone, so that this device shows the operator's day. */}
      {isExpired(card, now) ? 'Expired on' : 'Travel by'} {formatDate(`${card.validUntil}T12:00:00`)}.
    </p>
  );
}
