import { describePass } from '#domain/passes/describe-pass.ts';
import type { PassCard } from '#web/platform/api/types.ts';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';

/** Until when a pass is valid, and what it pays for. `now` in milliseconds. */
export function PassFacts({ card, now }: { card: PassCard; now: number }) {
  return (
    <>
      <p>{describeEnd(card, now)}</p>
      <Disclosure summary="What it pays for">
        <ul>
          {describePass(card.pass).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Disclosure>
    </>
  );
}

function describeEnd({ validUntil, expiresAt, pass }: PassCard, now: number): string {
  if (validUntil === null || expiresAt === null) {
    return pass.validDays === null ? 'It does not expire.' : 'Its days begin with your first trip.';
  }
  const day = DAY.format(new Date(`${validUntil}T12:00:00Z`));
  return Date.parse(expiresAt) <= now
    ? `It expired on ${day}. Buy it again to use the trips that are left.`
    : `Travel by ${day}.`;
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
