import { type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';
import fieldStyles from './field.module.css';
import styles from './segmented.module.css';

export type SegmentedProps<Value extends string> = {
  /** Of the whole group; an error summary may point to it. */
  id?: string | undefined;
  legend: ReactNode;
  isLegendHidden?: boolean | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  name?: string | undefined;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; label: ReactNode }[];
};

export function Segmented<Value extends string>({
  id,
  legend,
  isLegendHidden = false,
  hint,
  error,
  name,
  value,
  onChange,
  options,
}: SegmentedProps<Value>) {
  const ownId = useId();
  const groupId = id ?? ownId;
  const hintId = `${groupId}-hint`;
  const errorId = `${groupId}-error`;
  return (
    <fieldset
      id={groupId}
      tabIndex={-1}
      className={styles.group}
      aria-describedby={classes(error ? errorId : null, hint ? hintId : null)}
    >
      <legend className={classes(isLegendHidden ? 'visually-hidden' : fieldStyles.label)}>{legend}</legend>
      <div className={styles.track}>
        {options.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              className={styles.radio}
              name={name ?? groupId}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint && (
        <p id={hintId} className={fieldStyles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className={fieldStyles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
