import type { VehicleType } from '#web/platform/api/types.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { LengthField } from './length-field.tsx';
import { findRoute } from './trip.ts';
import { problemOf, smallest, tripFields } from './trip-problems.ts';
import type { TripFieldsProps } from './trip-step.tsx';
import { formatLength, formatLongest, parseLength, type Units } from './units.ts';

type SizeFieldsProps = TripFieldsProps & { type: VehicleType; units: Units };

export function SizeFields({ catalogue, trip, problems, onChange, type, units }: SizeFieldsProps) {
  const route = findRoute(catalogue, trip.from, trip.to);
  const example = units === 'imperial' ? 'Such as 18, 17 ft 6 in or 5.4 m.' : 'Such as 5.4, 540 cm or 18 ft.';
  const size = (field: 'length' | 'height' | 'trailer', id: string) => ({
    id,
    autoComplete: 'off',
    value: trip[field],
    error: problemOf(problems, id),
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
  });
  return (
    <>
      {type.lengthRequired && (
        <LengthField
          key={type.code}
          units={units}
          min={type.minLengthCm}
          max={smallest(type.maxLengthCm, route?.maxVehicleLengthCm ?? null)}
          value={trip.length}
          error={problemOf(problems, tripFields.length)}
          hint={
            <>
              {example} Measure with tow bar and bikes.{' '}
              <Read typed={trip.length} units={units} max={type.maxLengthCm} />
            </>
          }
          onChange={(length) => onChange({ length })}
        />
      )}
      {type.heightRequired && (
        <TextField
          {...size('height', tripFields.height)}
          label="Height"
          hint={
            <>
              {example} With everything on the roof.{' '}
              <Read
                typed={trip.height}
                units={units}
                max={type.maxHeightCm ?? route?.maxVehicleHeightCm ?? null}
              />
            </>
          }
        />
      )}
      {type.allowsTrailer && (
        <Checkbox
          label="With a trailer"
          checked={trip.hasTrailer}
          onChange={(event) => onChange({ hasTrailer: event.target.checked })}
        />
      )}
      {type.allowsTrailer && trip.hasTrailer && (
        <TextField
          {...size('trailer', tripFields.trailer)}
          label="Trailer’s length"
          hint={
            <>
              {example} With its tow bar. <Read typed={trip.trailer} units={units} max={null} />
            </>
          }
        />
      )}
    </>
  );
}

/** How the typed size is understood, in both units, so that a slip is seen before it is paid for. */
function Read({ typed, units, max }: { typed: string; units: Units; max: number | null }) {
  const cm = parseLength(typed, units);
  if (cm !== null && cm > 0) {
    const other = units === 'imperial' ? 'metric' : 'imperial';
    return (
      <output>
        That is {formatLength(cm, units)} ({formatLength(cm, other)}).
      </output>
    );
  }
  return max === null ? null : <>Up to {formatLongest(max, units)}.</>;
}
