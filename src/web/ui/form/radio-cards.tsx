import { type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';
import fieldStyles from './field.module.css';
import styles from './radio-cards.module.css';

export type RadioCardOption<Value extends string> = {
  value: Value;
  label: ReactNode;
  description?: ReactNode;
  price?: ReactNode;
  /** Controls about the option, such as a popover with more about it. Not part of the label. */
  extra?: ReactNode;
  isDisabled?: boolean | undefined;
};

export type RadioCardsProps<Value extends string> = {
  /** Of the whole group; an error summary may point to it. */
  id?: string | undefined;
  legend: ReactNode;
  isLegendHidden?: boolean | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  name?: string | undefined;
  value: Value | null;
  onChange: (value: Value) => void;
  options: RadioCardOption<Value>[];
};

export function RadioCards<Value extends string>({
  id,
  legend,
  isLegendHidden = false,
  hint,
  error,
  name,
  value,
  onChange,
  options,
}: RadioCardsProps<Value>) {
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
      data-invalid={error ? true : undefined}
    >
      <legend className={isLegendHidden ? 'visually-hidden' : fieldStyles.label}>{legend}</legend>
      {hint && (
        <p id={hintId} className={fieldStyles.hint}>
          {hint}
        </p>
      )}
      {options.map((option) => {
        const optionId = `${groupId}-${option.value}`;
        const describedBy = classes(
          option.description ? `${optionId}-about` : null,
          option.price ? `${optionId}-price` : null,
        );
        return (
          <div key={option.value} className={classes(styles.option, option.extra ? styles.hasExtra : null)}>
            <label className={styles.card}>
              <input
                type="radio"
                className={styles.radio}
                name={name ?? groupId}
                value={option.value}
                checked={option.value === value}
                disabled={option.isDisabled}
                aria-labelledby={`${optionId}-label`}
                aria-describedby={describedBy}
                onChange={() => onChange(option.value)}
              />
              <span id={`${optionId}-label`} className={styles.label}>
                {option.label}
              </span>
              {option.price && (
                <span id={`${optionId}-price`} className={styles.price}>
                  {option.price}
                </span>
              )}
              {option.description && (
                <span id={`${optionId}-about`} className={styles.description}>
                  {option.description}
                </span>
              )}
            </label>
            {option.extra && <div className={styles.extra}>{option.extra}</div>}
          </div>
        );
      })}
      {error && (
        <p id={errorId} className={fieldStyles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
