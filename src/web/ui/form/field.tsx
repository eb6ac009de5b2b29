import { type ComponentProps, type ReactNode, useId } from 'react';
import { t } from '#web/language/texts.ts';
import { classes } from '../classes.ts';
import { Stack } from '../layout/stack.tsx';
import styles from './field.module.css';

type Descriptions = { id?: string | undefined; hint?: ReactNode; error?: ReactNode };

/** The paragraphs of a control's hint and error, and the attributes that tie them to the control. */
export function useDescriptions({ id, hint, error }: Descriptions) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  return {
    control: {
      id: controlId,
      'aria-describedby': classes(error ? errorId : null, hint ? hintId : null),
      'aria-invalid': error ? (true as const) : undefined,
    },
    hint: hint && (
      <p id={hintId} className={styles.hint}>
        {hint}
      </p>
    ),
    error: error && (
      <p id={errorId} className={styles.error}>
        {error}
      </p>
    ),
  };
}

export type FieldLabelling = Descriptions & { label: ReactNode; isOptional?: boolean | undefined };

type ControlProps = ReturnType<typeof useDescriptions>['control'] & { className: string | undefined };

type FieldProps = FieldLabelling & {
  className?: string | undefined;
  /** A button or icon at the end of the control. */
  end?: ReactNode;
  /** Renders the control with the attributes that tie it to its label, hint and error. */
  children: (control: ControlProps) => ReactNode;
};

export function Field({ label, isOptional = false, className, end, children, ...descriptions }: FieldProps) {
  const { control, hint, error } = useDescriptions(descriptions);
  const box = children({ ...control, className: styles.control });
  return (
    <Stack gap="xs" className={className}>
      <label className={styles.label} htmlFor={control.id}>
        {label}
        {isOptional && <span className={styles.optional}> {t('(optional)')}</span>}
      </label>
      {hint}
      {end ? (
        <div className={styles.withEnd}>
          {box}
          {end}
        </div>
      ) : (
        box
      )}
      {error}
    </Stack>
  );
}

export type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & Omit<FieldProps, 'children'>;

export function TextField({ id, label, hint, error, isOptional, className, end, ...input }: TextFieldProps) {
  const field = { id, label, hint, error, isOptional, className, end };
  return <Field {...field}>{(control) => <input type="text" {...input} {...control} />}</Field>;
}

export type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'id'> &
  Omit<FieldProps, 'children' | 'end'>;

/** For several lines of text. */
export function TextAreaField({
  id,
  label,
  hint,
  error,
  isOptional,
  className,
  ...area
}: TextAreaFieldProps) {
  return (
    <Field {...{ id, label, hint, error, isOptional, className }}>
      {(control) => <textarea {...area} {...control} className={classes(control.className, styles.area)} />}
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

/** For a reference, a code or a plate: in capital letters, without spelling correction. */
export function ReferenceField(props: TextFieldProps) {
  return <TextField autoComplete="off" autoCapitalize="characters" spellCheck={false} {...props} />;
}

export function PhoneField(props: TextFieldProps) {
  return <TextField autoComplete="tel" {...props} type="tel" />;
}
