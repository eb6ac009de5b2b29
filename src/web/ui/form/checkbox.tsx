import type { ComponentProps, ReactNode } from 'react';
import styles from './checkbox.module.css';
import { useDescriptions } from './field.tsx';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
};

export function Checkbox({ id, label, description, error, ...input }: CheckboxProps) {
  const described = useDescriptions({ id, hint: description, error });
  return (
    <div className={styles.row}>
      <input {...input} {...described.control} type="checkbox" className={styles.box} />
      <label className={styles.label} htmlFor={described.control.id}>
        {label}
      </label>
      {described.hint}
      {described.error}
    </div>
  );
}
