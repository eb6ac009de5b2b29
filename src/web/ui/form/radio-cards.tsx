import { type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';
import { Stack } from '../layout/stack.tsx';
import fieldStyles from './field.module.css';
import styles from './radio-cards.module.css';

type RadioCardsProps<Value extends string> = {
  /** The group's id, which an error summary may link to. */
  id?: string | undefined;
  legend: ReactNode;
  value: Value | null;
  onChange: (value: Value) => void;
  options: {
    value: Value;
    label: ReactNode;
    description?: ReactNode;
    price?: ReactNode;
    /** Controls about the option, such as a popover with more about it. Not part of the label. */
    extra?: ReactNode;
  }[];
};

export function RadioCards<Value extends string>({
  id,
  legend,
  value,
  onChange,
  options,
}: RadioCardsProps<Value>) {
  const ownId = useId();
  const groupId = id ?? ownId;
  return (
    <Stack as="fieldset" gap="sm" id={groupId} tabIndex={-1}>
      <legend className={fieldStyles.label}>{legend}</legend>
      {options.map((option) => {
        const labelId = `${groupId}-${option.value}-label`;
        const aboutId = `${groupId}-${option.value}-about`;
        const priceId = `${groupId}-${option.value}-price`;
        return (
          <div key={option.value} className={classes(styles.option, option.extra ? styles.hasExtra : null)}>
            <label className={styles.card}>
              <input
                type="radio"
                className={styles.radio}
                name={groupId}
                value={option.value}
                checked={option.value === value}
                aria-labelledby={labelId}
                aria-describedby={classes(option.description ? aboutId : null, option.price ? priceId : null)}
                onChange={() => onChange(option.value)}
              />
              <span id={labelId} className={styles.label}>
                {option.label}
              </span>
              {option.price && (
                <span id={priceId} className={styles.price}>
                  {option.price}
                </span>
              )}
              {option.description && (
                <span id={aboutId} className={styles.description}>
                  {option.description}
                </span>
              )}
            </label>
            {option.extra && <div className={styles.extra}>{option.extra}</div>}
          </div>
        );
      })}
    </Stack>
  );
}
