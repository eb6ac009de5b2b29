import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';
import styles from './checkbox.module.css';

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
};

export function Checkbox({ id, label, description, error, className, ...input }: CheckboxProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const descriptionId = `${controlId}-description`;
  const errorId = `${controlId}-error`;
  return (
    <div className={classes(styles.row, className)}>
      <input
        {...input}
        type="checkbox"
        id={controlId}
        className={styles.box}
        aria-describedby={classes(error ? errorId : null, description ? descriptionId : null)}
        aria-invalid={error ? true : undefined}
      />
      <label className={styles.label} htmlFor={controlId}>
        {label}
      </label>
      {description && (
        <p id={descriptionId} className={styles.description}>
          {description}
        </p>
      )}
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
