import type { ComponentProps } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../icon.tsx';
import { Field, type FieldLabelling } from './field.tsx';
import styles from './select.module.css';

type SelectProps = Omit<ComponentProps<'select'>, 'id' | 'children' | 'className'> &
  FieldLabelling & { options: { value: string; label: string }[]; placeholder?: string | undefined };

export function Select({ id, label, hint, error, isOptional, options, placeholder, ...select }: SelectProps) {
  const field = { id, label, hint, error, isOptional };
  return (
    <Field {...field} end={<Icon name="chevron-down" className={styles.chevron} />}>
      {(control) => (
        <select {...select} {...control} className={classes(control.className, styles.select)}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
