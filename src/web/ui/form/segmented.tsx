import type { ReactNode } from 'react';
import fieldStyles from './field.module.css';
import { useDescriptions } from './field.tsx';
import styles from './segmented.module.css';

type SegmentedProps<Value extends string> = {
  /** The group's id, which an error summary may link to. */
  id?: string | undefined;
  legend: ReactNode;
  isLegendHidden?: boolean | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; label: ReactNode }[];
};

export function Segmented<Value extends string>({
  legend,
  isLegendHidden = false,
  value,
  onChange,
  options,
  ...descriptions
}: SegmentedProps<Value>) {
  const { control, hint, error } = useDescriptions(descriptions);
  return (
    <fieldset
      id={control.id}
      tabIndex={-1}
      className={styles.group}
      aria-describedby={control['aria-describedby']}
    >
      <legend className={isLegendHidden ? 'visually-hidden' : fieldStyles.label}>{legend}</legend>
      <div className={styles.track}>
        {options.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              className={styles.radio}
              name={control.id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint}
      {error}
    </fieldset>
  );
}
