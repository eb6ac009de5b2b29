import type { Ref } from 'react';
import styles from './field.module.css';
import { type FieldLabelling, TextField } from './field.tsx';

type CodeFieldProps = FieldLabelling & {
  value: string;
  onChange: (code: string) => void;
  onComplete?: ((code: string) => void) | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
};

const LENGTH = 6;

/** One box for a mailed or generated code: one box is what paste, autofill and screen readers handle best. */
export function CodeField({ value, onChange, onComplete, ...field }: CodeFieldProps) {
  function handleChange(text: string) {
    const code = text.replace(/\D/g, '').slice(0, LENGTH);
    if (code === value) return;
    onChange(code);
    if (code.length === LENGTH) onComplete?.(code);
  }

  return (
    <TextField
      {...field}
      className={styles.code}
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      name="code"
      value={value}
      onChange={(event) => handleChange(event.target.value)}
    />
  );
}
