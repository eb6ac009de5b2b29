import type { ComponentProps } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../icon.tsx';
import { Field, type FieldLabelling } from './field.tsx';
import styles from './select.module.css';

type Option = { value: string; label: string };
type OptionGroup = { label: string; options: Option[] };
export type SelectOptions = (Option | OptionGroup)[];

type SelectProps = Omit<ComponentProps<'select'>, 'id' | 'children' | 'className'> &
  FieldLabelling & { options: SelectOptions; placeholder?: string | undefined };

export function Select({ id, label, hint, error, isOptional, options, placeholder, ...select }: SelectProps) {
  const field = { id, label, hint, error, isOptional };
  return (
    <Field {...field} end={<Icon name="chevron-down" className={styles.chevron} />}>
      {(control) => (
        <select {...select} {...control} className={classes(control.className, styles.select)}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) =>
            'options' in option ? (
              <optgroup key={option.label} label={option.label}>
                {option.options.map(renderOption)}
              </optgroup>
            ) : (
              renderOption(option)
            ),
          )}
        </select>
      )}
    </Field>
  );
}

function renderOption({ value, label }: Option) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  );
}
