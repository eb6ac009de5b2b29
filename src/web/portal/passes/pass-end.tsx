import type { PassCard } from '#web/platform/api/types.ts';
import { formatDate } from '../parts/timestamp.tsx';
import { isExpired } from '../trip-cards/trip-card.ts';

/** Until when a pass is valid. `now` in milliseconds. */
export function PassEnd({ card, now }: { card: PassCard; now: number }) {
  const { validUntil, pass } = card;
  if (validUntil === null) {
    return <p>{pass.validDays === null ? 'It does not expire.' : 'Its days begin with your first trip.'}</p>;
  }
  // Without a zone, so that this device shows the operator's day.
  const day = formatDate(`${validUntil}T12:00:00`);
  return (
    <p>{isExpired(card, now) ? `It expired on ${day}. Buy it again to use it.` : `Travel by ${day}.`}</p>
  );
}
