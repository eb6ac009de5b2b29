import { useState } from 'react';
import type { Catalogue, VehicleType } from '#web/platform/api/types.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { TextField, type TextFieldProps } from '#web/ui/form/field.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { findSizeLimits, type Limits, tripFields } from './trip-problems.ts';
import { findRoute, type TripSearch } from './trip-search.ts';
import { formatLength, formatLongest, parseLength, type Units } from './units.ts';

export type TripFieldsProps = {
  catalogue: Catalogue;
  trip: TripSearch;
  /** The attributes of a field by its id, of those in `tripFields` and `passengerFieldId`. */
  field: (id: string) => { id: string; error: string | undefined };
  onChange: (fields: Partial<TripSearch>) => void;
};

type SizeFieldsProps = TripFieldsProps & { type: VehicleType; units: Units };

export function SizeFields({ catalogue, trip, field, onChange, type, units }: SizeFieldsProps) {
  const limits = findSizeLimits(type, findRoute(catalogue, trip.from, trip.to));
  const example = units === 'imperial' ? 'Such as 18, 17 ft 6 in or 5.4 m.' : 'Such as 5.4, 540 cm or 18 ft.';
  const sizeField = (
    size: keyof typeof limits,
    advice: string,
  ): TextFieldProps & { id: string; value: string } => ({
    ...field(tripFields[size]),
    label: LABELS[size],
    autoComplete: 'off',
    value: trip[size],
    hint: (
      <>
        {example} {advice} <ParsedSize typed={trip[size]} units={units} max={limits[size].max} />
      </>
    ),
    onChange: ({ target }) => onChange({ [size]: target.value }),
  });
  return (
    <>
      {type.lengthRequired && (
        <LengthField
          key={type.code}
          units={units}
          limits={limits.length}
          exact={sizeField('length', 'Measure with tow bar and bikes.')}
          onChange={(length) => onChange({ length })}
        />
      )}
      {type.heightRequired && <TextField {...sizeField('height', 'With everything on the roof.')} />}
      {type.allowsTrailer && (
        <Checkbox
          label="With a trailer"
          checked={trip.hasTrailer}
          onChange={(event) => onChange({ hasTrailer: event.target.checked })}
        />
      )}
      {type.allowsTrailer && trip.hasTrailer && <TextField {...sizeField('trailer', 'With its tow bar.')} />}
    </>
  );
}

const LABELS = { length: 'Exact length', height: 'Height', trailer: 'Trailer’s length' };

/** The lengths up to which most cars are. */
const USUAL_LENGTHS = { imperial: ['18 ft', '22 ft'], metric: ['5.5 m', '6.7 m'] } as const;
const OTHER = 'other';

type LengthFieldProps = {
  units: Units;
  limits: Limits;
  /** The field for any other length. */
  exact: TextFieldProps & { id: string; value: string };
  onChange: (length: string) => void;
};

/** The usual lengths to choose from, or a text field. */
function LengthField({ units, limits: { min, max }, exact, onChange }: LengthFieldProps) {
  const { id, value, error } = exact;
  const [short, long] = USUAL_LENGTHS[units];
  const options = [
    {
      value: short,
      label: (
        <>
          Under <span translate="no">{short}</span>
        </>
      ),
    },
    { value: long, label: <span translate="no">{`${short.split(' ')[0]}–${long}`}</span> },
  ].filter((option) => {
    const cm = parseLength(option.value, units) ?? 0;
    return cm >= (min ?? 0) && (max === null || cm <= max);
  });
  const [isOther, setIsOther] = useState(value !== '' && options.every((option) => option.value !== value));
  const isTyped = isOther || options.length === 0;
  const chosenCm = isTyped ? null : parseLength(value, units);
  return (
    <>
      {options.length > 0 && (
        <Segmented<string>
          id={isTyped ? undefined : id}
          legend="Length"
          value={isTyped ? OTHER : value}
          error={isTyped ? undefined : error}
          hint={
            chosenCm !== null && (
              <output>
                Booked as <Size cm={chosenCm} units={units} />. If it is shorter, the exact length can cost
                less.
              </output>
            )
          }
          onChange={(choice) => {
            setIsOther(choice === OTHER);
            onChange(choice === OTHER ? '' : choice);
          }}
          options={[...options, { value: OTHER, label: 'Exact length' }]}
        />
      )}
      {isTyped && <TextField {...exact} />}
    </>
  );
}

/** The typed size in both units, so that a slip is noticed before it is paid for. */
function ParsedSize({ typed, units, max }: { typed: string; units: Units; max: number | null }) {
  const cm = parseLength(typed, units);
  if (cm !== null && cm > 0) {
    const other = units === 'imperial' ? 'metric' : 'imperial';
    return (
      <output>
        That is <Size cm={cm} units={units} /> (<Size cm={cm} units={other} />
        ).
      </output>
    );
  }
  if (max === null) return null;
  return (
    <span>
      Up to <span translate="no">{formatLongest(max, units)}</span>.
    </span>
  );
}

/** Translators of browsers convert or break numbers with units. */
function Size({ cm, units }: { cm: number; units: Units }) {
  return <span translate="no">{formatLength(cm, units)}</span>;
}
