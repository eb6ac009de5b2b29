import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';
import styles from './field.module.css';

/** Spread these on the control: they tie it to its label, hint and error. */
export type FieldControlProps = {
  id: string;
  className: string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

export type FieldLabelling = {
  id?: string | undefined;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  isOptional?: boolean | undefined;
};

export type FieldProps = FieldLabelling & {
  className?: string | undefined;
  children: (control: FieldControlProps) => ReactNode;
};

export function Field({ id, label, hint, error, isOptional = false, className, children }: FieldProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const describedBy = classes(error ? errorId : null, hint ? hintId : null);

  return (
    <div className={classes(styles.field, className)} data-invalid={error ? true : undefined}>
      <label className={styles.label} htmlFor={controlId}>
        {label}
        {isOptional && <span className={styles.optional}> (optional)</span>}
      </label>
      {hint && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
      {children({
        id: controlId,
        className: styles.control,
        'aria-describedby': describedBy,
        'aria-invalid': error ? true : undefined,
      })}
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

export type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & FieldLabelling;

export function TextField({ id, label, hint, error, isOptional, className, ...input }: TextFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} isOptional={isOptional} className={className}>
      {(control) => <input type="text" {...input} {...control} />}
    </Field>
  );
}

export function EmailField(props: TextFieldProps) {
  return (
    <TextField
      autoComplete="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type="email"
    />
  );
}

export function PhoneField(props: TextFieldProps) {
  return <TextField autoComplete="tel" {...props} type="tel" />;
}

export type TextAreaProps = Omit<ComponentProps<'textarea'>, 'id'> & FieldLabelling;

export function TextArea({ id, label, hint, error, isOptional, className, ...area }: TextAreaProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} isOptional={isOptional} className={className}>
      {(control) => <textarea rows={4} {...area} {...control} />}
    </Field>
  );
}
