import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import type { PassengerType } from '#web/platform/api/types.ts';
import { Counter } from '#web/ui/form/counter.tsx';
import styles from './party-fields.module.css';
import { partySize } from './trip.ts';
import { passengerFieldId } from './trip-problems.ts';
import type { TripFieldsProps } from './trip-step.tsx';

const LIMIT_ID = 'party-limit';

export function PartyFields({ catalogue, trip, problems, onChange }: TripFieldsProps) {
  const canReach = useCanReach();
  const roomLeft = Math.max(0, catalogue.maxParty - partySize(trip));
  return (
    <div className={styles.party}>
      {catalogue.passengerTypes.map((type) => {
        const count = trip.passengers[type.code] ?? 0;
        return (
          <Counter
            key={type.id}
            id={passengerFieldId(type.code)}
            label={type.name}
            description={describeType(type)}
            error={problems[passengerFieldId(type.code)]}
            value={count}
            max={count + roomLeft}
            maxReasonId={LIMIT_ID}
            onChange={(next) => onChange({ passengers: { ...trip.passengers, [type.code]: next } })}
          />
        );
      })}
      {roomLeft === 0 && (
        <p id={LIMIT_ID} className={styles.limit} role="status">
          You can book up to {catalogue.maxParty} people at once.{' '}
          {canReach && (
            <>
              For a larger group, <ContactWays />.
            </>
          )}
        </p>
      )}
    </div>
  );
}

function describeType({ ageMin, ageMax, requiresProof }: PassengerType): string | undefined {
  const ages = describeAges(ageMin, ageMax);
  return [ages, requiresProof ? 'bring proof' : null].filter(Boolean).join(' · ') || undefined;
}

function describeAges(min: number | null, max: number | null): string | null {
  if (max !== null) return min === null || min === 0 ? `Under ${max + 1} years` : `${min} to ${max} years`;
  return min === null ? null : `${min} years and older`;
}
