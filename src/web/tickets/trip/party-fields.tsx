import { Suspense, useState } from 'react';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import type { Units } from '#web/features/site/lengths.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { PassengerType } from '#web/platform/api/types.ts';
import { useSession } from '#web/platform/session/session.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Counter } from '#web/ui/form/counter.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { SizeFields, type TripFieldsProps } from './size-fields.tsx';
import { passengerFieldId, tripFields } from './trip-problems.ts';
import { findRoute, findVehicleType, partySize } from './trip-search.ts';
import styles from './trip-step.module.css';

const SavedVehicles = lazyComponent(
  async () => (await import('../saved-party/saved-vehicles.tsx')).SavedVehicles,
);

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
          {t('You can book up to {count} people at once.', { count: catalogue.maxParty })}{' '}
          {canReach && rich('For a larger group, <contact></contact>.', { contact: () => <ContactWays /> })}
        </p>
      )}
    </div>
  );
}

function describeType({ ageMin, ageMax, requiresProof }: PassengerType): string | undefined {
  const ages = describeAges(ageMin, ageMax);
  return [ages, requiresProof ? t('bring proof') : null].filter(Boolean).join(' · ') || undefined;
}

function describeAges(min: number | null, max: number | null): string | null {
  if (max !== null) {
    return min === null || min === 0
      ? t('Under {age} years', { age: max + 1 })
      : t('{youngest} to {oldest} years', { youngest: min, oldest: max });
  }
  return min === null ? null : t('{age} years and older', { age: min });
}

export function VehicleFields(props: TripFieldsProps & { units: Units }) {
  const { catalogue, trip, field, onChange } = props;
  const { isAuthenticated } = useSession();
  // Fields that are filled in show the usual lengths again, instead of the exact one being typed.
  const [fillings, setFillings] = useState(0);
  const route = findRoute(catalogue, trip.from, trip.to);
  const type = findVehicleType(catalogue, trip);
  // What was chosen before the route changed stays in sight, with its error, instead of vanishing.
  const showsVehicles = route?.carriesVehicles !== false || type !== null;
  const showsBicycles = route?.carriesBicycles !== false || trip.bicycles > 0;
  if (!showsVehicles && !showsBicycles) return <p>{t('This route takes foot passengers only.')}</p>;
  return (
    <Stack>
      {showsVehicles ? (
        <Select
          {...field(tripFields.vehicle)}
          label={t('Vehicle')}
          hint={type?.includesDriver ? t('The fare includes the driver.') : undefined}
          value={trip.vehicle}
          placeholder={t('No vehicle')}
          options={catalogue.vehicleTypes.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={(event) => onChange({ vehicle: event.target.value })}
        />
      ) : (
        <p>{t('This route takes no vehicles.')}</p>
      )}
      {showsVehicles && isAuthenticated && (
        <Suspense>
          <SavedVehicles
            catalogue={catalogue}
            onChange={(vehicle) => {
              onChange(vehicle);
              setFillings(fillings + 1);
            }}
          />
        </Suspense>
      )}
      {type !== null && <SizeFields key={fillings} {...props} type={type} />}
      {showsBicycles && (
        <Counter
          {...field(tripFields.bicycles)}
          label={t('Bicycles')}
          value={trip.bicycles}
          max={catalogue.maxParty}
          onChange={(bicycles) => onChange({ bicycles })}
        />
      )}
    </Stack>
  );
}
