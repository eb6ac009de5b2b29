import { type ReactNode, useState } from 'react';
import { TextField } from '#web/ui/form/field.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { tripFields } from './trip-problems.ts';
import { formatLength, parseLength, type Units } from './units.ts';

export type LengthFieldProps = {
  units: Units;
  /** In centimetres. */
  min: number | null;
  max: number | null;
  value: string;
  error: string | undefined;
  hint: ReactNode;
  onChange: (length: string) => void;
};

/** The lengths up to which most cars are, to choose from. */
const LIMITS = { imperial: ['18 ft', '22 ft'], metric: ['5.5 m', '6.7 m'] } as const;
const OTHER = 'other';

/** A usual length by one tap; any other, or the exact one, as text. */
export function LengthField({ units, min, max, value, error, hint, onChange }: LengthFieldProps) {
  const [short, long] = LIMITS[units];
  const usual: string[] = [short, long].filter((limit) => {
    const cm = parseLength(limit, units) ?? 0;
    return cm >= (min ?? 0) && (max === null || cm <= max);
  });
  const [isOther, setIsOther] = useState(value !== '' && !usual.includes(value));
  const labels: Record<string, string> = {
    [short]: `Under ${short}`,
    [long]: `${short.split(' ')[0]}–${long}`,
  };
  const isTyped = isOther || usual.length === 0;
  const chosenCm = isTyped ? null : parseLength(value, units);

  function choose(choice: string) {
    setIsOther(choice === OTHER);
    onChange(choice === OTHER ? '' : choice);
  }

  return (
    <>
      {usual.length > 0 && (
        <Segmented
          id={isTyped ? undefined : tripFields.length}
          legend="Length"
          value={isTyped ? OTHER : value}
          error={isTyped ? undefined : error}
          hint={
            chosenCm !== null && (
              <output>
                Booked as {formatLength(chosenCm, units)}. If it is shorter, the exact length can cost less.
              </output>
            )
          }
          onChange={choose}
          options={[
            ...usual.map((limit) => ({ value: limit, label: labels[limit] })),
            { value: OTHER, label: 'Exact length' },
          ]}
        />
      )}
      {isTyped && (
        <TextField
          id={tripFields.length}
          label="Exact length"
          autoComplete="off"
          value={value}
          error={error}
          hint={hint}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </>
  );
}
