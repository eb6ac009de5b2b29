import type { ComponentProps } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../icon.tsx';
import fieldStyles from './field.module.css';
import { Field, type FieldLabelling } from './field.tsx';
import styles from './select.module.css';

export type SelectOption = { value: string; label: string; isDisabled?: boolean | undefined };
export type SelectProps = Omit<ComponentProps<'select'>, 'id' | 'children'> &
  FieldLabelling & { options: SelectOption[]; placeholder?: string | undefined };

export function Select({
  id,
  label,
  hint,
  error,
  isOptional,
  className,
  options,
  placeholder,
  ...select
}: SelectProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} isOptional={isOptional} className={className}>
      {(control) => (
        <div className={fieldStyles.withButton}>
          <select {...select} {...control} className={classes(control.className, styles.select)}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.isDisabled}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" className={styles.chevron} />
        </div>
      )}
    </Field>
  );
}
