import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import fieldStyles from './field.module.css';
import styles from './segmented.module.css';

export type SegmentedProps<Value extends string> = {
  legend: ReactNode;
  isLegendHidden?: boolean | undefined;
  name?: string | undefined;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; label: ReactNode }[];
};

export function Segmented<Value extends string>({
  legend,
  isLegendHidden = false,
  name,
  value,
  onChange,
  options,
}: SegmentedProps<Value>) {
  const groupId = useId();
  return (
    <fieldset className={styles.group}>
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
    </fieldset>
  );
}
