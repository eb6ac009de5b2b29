import { useState } from 'react';
import { t } from '#web/language/texts.ts';
import { IconButton } from './button.tsx';
import styles from './field.module.css';
import { TextField, type TextFieldProps } from './field.tsx';

export function PasswordField(props: TextFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      end={
        <IconButton
          label={t('Show password')}
          aria-pressed={isShown}
          icon={isShown ? 'eye-off' : 'eye'}
          className={styles.innerButton}
          onClick={() => setIsShown(!isShown)}
        />
      }
    />
  );
}
