import { useState } from 'react';
import { IconButton } from './button.tsx';
import styles from './field.module.css';
import { Field, type TextFieldProps } from './field.tsx';

export function PasswordField({ id, label, hint, error, isOptional, className, ...input }: TextFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field id={id} label={label} hint={hint} error={error} isOptional={isOptional} className={className}>
      {(control) => (
        <div className={styles.withButton}>
          <input
            autoComplete="current-password"
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
          />
          <IconButton
            label="Show password"
            aria-pressed={isShown}
            icon={isShown ? 'eye-off' : 'eye'}
            className={styles.innerButton}
            onClick={() => setIsShown(!isShown)}
          />
        </div>
      )}
    </Field>
  );
}
