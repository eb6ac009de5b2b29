import { type ReactNode, useState } from 'react';
import { message } from '#messages/translate.ts';
import { formatLength, type Units } from '#web/features/site/lengths.ts';
import { formatLongest, parseLength, USUAL_LENGTHS } from '#web/features/site/units.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { Catalogue, VehicleType } from '#web/platform/api/types.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { TextField, type TextFieldProps } from '#web/ui/form/field.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { findSizeLimits, type Limits, tripFields } from './trip-problems.ts';
import { findRoute, type TripSearch } from './trip-search.ts';

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
  const example =
    units === 'imperial' ? t('Such as 18, 17 ft 6 in or 5.4 m.') : t('Such as 5.4, 540 cm or 18 ft.');
  const sizeField = (
    size: keyof typeof limits,
    advice: string,
  ): TextFieldProps & { id: string; value: string } => ({
    ...field(tripFields[size]),
    label: t(LABELS[size]),
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
          exact={sizeField('length', t('Measure with tow bar and bikes.'))}
          onChange={(length) => onChange({ length })}
        />
      )}
      {type.heightRequired && <TextField {...sizeField('height', t('With everything on the roof.'))} />}
      {type.allowsTrailer && (
        <Checkbox
          label={t('With a trailer')}
          checked={trip.hasTrailer}
          onChange={(event) => onChange({ hasTrailer: event.target.checked })}
        />
      )}
      {type.allowsTrailer && trip.hasTrailer && (
        <TextField {...sizeField('trailer', t('With its tow bar.'))} />
      )}
    </>
  );
}

const LABELS = {
  length: message('Exact length'),
  height: message('Height'),
  trailer: message('Trailer’s length'),
};

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
  const [shortText, longText] = [short, long].map((length) =>
    formatLength(parseLength(length, units) ?? 0, units),
  ) as [string, string];
  const options = [
    {
      value: short,
      label: rich('Under <size>{length}</size>', { size: keepUntranslated, length: shortText }),
    },
    { value: long, label: <span translate="no">{`${shortText.split(' ')[0]}–${longText}`}</span> },
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
          legend={t('Length')}
          value={isTyped ? OTHER : value}
          error={isTyped ? undefined : error}
          hint={
            chosenCm !== null && (
              <output>
                {rich('Booked as <size>{length}</size>. If it is shorter, the exact length can cost less.', {
                  size: keepUntranslated,
                  length: formatLength(chosenCm, units),
                })}
              </output>
            )
          }
          onChange={(choice) => {
            setIsOther(choice === OTHER);
            onChange(choice === OTHER ? '' : choice);
          }}
          options={[...options, { value: OTHER, label: t('Exact length') }]}
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
        {rich('That is <size>{length}</size> (<size>{otherLength}</size>).', {
          size: keepUntranslated,
          length: formatLength(cm, units),
          otherLength: formatLength(cm, other),
        })}
      </output>
    );
  }
  if (max === null) return null;
  return (
    <span>
      {rich('Up to <size>{length}</size>.', { size: keepUntranslated, length: formatLongest(max, units) })}
    </span>
  );
}

/** Translators of browsers convert or break numbers with units. */
function keepUntranslated(length: ReactNode) {
  return <span translate="no">{length}</span>;
}
