import type { Ref } from 'react';
import { classes } from '../classes.ts';
import styles from './field.module.css';
import { Field, type FieldLabelling } from './field.tsx';

export type CodeFieldProps = FieldLabelling & {
  value: string;
  onChange: (code: string) => void;
  onComplete?: ((code: string) => void) | undefined;
  length?: number | undefined;
  name?: string | undefined;
  isDisabled?: boolean | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
};

/** One box for a mailed or generated code: one box is what paste, autofill and screen readers handle best. */
export function CodeField({
  value,
  onChange,
  onComplete,
  length = 6,
  name = 'code',
  isDisabled,
  ref,
  ...labelling
}: CodeFieldProps) {
  function handleChange(text: string) {
    const code = text.replace(/\D/g, '').slice(0, length);
    if (code === value) return;
    onChange(code);
    if (code.length === length) onComplete?.(code);
  }

  return (
    <Field {...labelling}>
      {(control) => (
        <input
          {...control}
          ref={ref}
          className={classes(control.className, styles.code)}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          name={name}
          disabled={isDisabled}
          value={value}
          onChange={(event) => handleChange(event.target.value)}
        />
      )}
    </Field>
  );
}
