import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import type { PassengerType } from '#web/platform/api/types.ts';
import { Counter } from '#web/ui/form/counter.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { SizeFields, type TripFieldsProps } from './size-fields.tsx';
import { passengerFieldId, tripFields } from './trip-problems.ts';
import { findRoute, findVehicleType, partySize } from './trip-search.ts';
import styles from './trip-step.module.css';
import type { Units } from './units.ts';

const LIMIT_ID = 'party-limit';

export function PartyFields({ catalogue, trip, field, onChange }: TripFieldsProps) {
  const canReach = useCanReach();
  const roomLeft = Math.max(0, catalogue.maxParty - partySize(trip));
  return (
    <div className={styles.party}>
      {catalogue.passengerTypes.map((type) => {
        const count = trip.passengers[type.code] ?? 0;
        return (
          <Counter
            key={type.id}
            {...field(passengerFieldId(type.code))}
            label={type.name}
            description={describeType(type)}
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

export function VehicleFields(props: TripFieldsProps & { units: Units }) {
  const { catalogue, trip, field, onChange } = props;
  const route = findRoute(catalogue, trip.from, trip.to);
  const type = findVehicleType(catalogue, trip);
  // What was chosen before the route changed stays in sight, with its error, instead of vanishing.
  const showsVehicles = route?.carriesVehicles !== false || type !== null;
  const showsBicycles = route?.carriesBicycles !== false || trip.bicycles > 0;
  if (!showsVehicles && !showsBicycles) return <p>This route takes foot passengers only.</p>;
  return (
    <Stack>
      {showsVehicles ? (
        <Select
          {...field(tripFields.vehicle)}
          label="Vehicle"
          hint={type?.includesDriver ? 'The fare includes the driver.' : undefined}
          value={trip.vehicle}
          placeholder="No vehicle"
          options={catalogue.vehicleTypes.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={(event) => onChange({ vehicle: event.target.value })}
        />
      ) : (
        <p>This route takes no vehicles.</p>
      )}
      {type !== null && <SizeFields {...props} type={type} />}
      {showsBicycles && (
        <Counter
          {...field(tripFields.bicycles)}
          label="Bicycles"
          value={trip.bicycles}
          max={catalogue.maxParty}
          onChange={(bicycles) => onChange({ bicycles })}
        />
      )}
    </Stack>
  );
}
