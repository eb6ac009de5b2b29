import type { ComponentProps, ReactNode } from 'react';
import { useDescriptions } from './field.tsx';
import styles from './switch.module.css';

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role'> & {
  label: ReactNode;
  description?: ReactNode;
};

export function Switch({ id, label, description, ...input }: SwitchProps) {
  const { control, hint } = useDescriptions({ id, hint: description });
  return (
    <div className={styles.row}>
      <label className={styles.label} htmlFor={control.id}>
        {label}
      </label>
      {hint}
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its state without aria-checked */}
      <input {...input} {...control} type="checkbox" role="switch" className={styles.switch} />
    </div>
  );
}
