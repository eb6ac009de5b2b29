import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';
import styles from './switch.module.css';

export type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role'> & {
  label: ReactNode;
  description?: ReactNode;
};

export function Switch({ id, label, description, className, ...input }: SwitchProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const descriptionId = `${controlId}-description`;
  return (
    <div className={classes(styles.row, className)}>
      <label className={styles.label} htmlFor={controlId}>
        {label}
      </label>
      {description && (
        <p id={descriptionId} className={styles.description}>
          {description}
        </p>
      )}
      <input
        {...input}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is on
        role="switch"
        id={controlId}
        className={styles.switch}
        aria-describedby={description ? descriptionId : undefined}
      />
    </div>
  );
}
