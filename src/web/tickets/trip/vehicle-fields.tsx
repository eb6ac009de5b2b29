import { Suspense } from 'react';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Counter } from '#web/ui/form/counter.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { findRoute, findVehicleType } from './trip.ts';
import { tripFields } from './trip-problems.ts';
import type { TripFieldsProps } from './trip-step.tsx';
import type { Units } from './units.ts';

/** Most passengers bring no vehicle, so its sizes stay out of the first bundle. */
const SizeFields = lazyComponent(async () => (await import('./size-fields.tsx')).SizeFields);

export function VehicleFields(props: TripFieldsProps & { units: Units }) {
  const { catalogue, trip, problems, onChange, units } = props;
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
          id={tripFields.vehicle}
          label="Vehicle"
          hint={type?.includesDriver ? 'The fare includes the driver.' : undefined}
          value={trip.vehicle}
          error={problems[tripFields.vehicle]}
          placeholder="No vehicle"
          options={catalogue.vehicleTypes.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={(event) => onChange({ vehicle: event.target.value })}
        />
      ) : (
        <p>This route takes no vehicles.</p>
      )}
      {type !== null && (
        <Suspense>
          <SizeFields {...props} type={type} units={units} />
        </Suspense>
      )}
      {showsBicycles && (
        <Counter
          id={tripFields.bicycles}
          label="Bicycles"
          error={problems[tripFields.bicycles]}
          value={trip.bicycles}
          max={catalogue.maxParty}
          onChange={(bicycles) => onChange({ bicycles })}
        />
      )}
    </Stack>
  );
}
