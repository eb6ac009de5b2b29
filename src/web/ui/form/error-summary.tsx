import { type MouseEvent, useEffect, useRef } from 'react';
import { t } from '#web/language/texts.ts';
import { Icon } from '../icon.tsx';
import styles from './error-summary.module.css';

export type FieldError = { fieldId: string; message: string };
type ErrorSummaryProps = { title?: string | undefined; errors: FieldError[] };

/** Takes the focus each time it gets new errors, so that a failed submit is noticed. */
export function ErrorSummary({ title = t('Please check your details'), errors }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const hasErrors = errors.length > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list is a new attempt, so the focus moves again
  useEffect(() => {
    if (hasErrors) box.current?.focus();
  }, [errors, hasErrors]);

  if (!hasErrors) return null;
  return (
    <div ref={box} className={styles.summary} role="alert" tabIndex={-1}>
      <h2 className={styles.title}>
        <Icon name="warning" />
        {title}
      </h2>
      <ul>
        {errors.map(({ fieldId, message }) => (
          <li key={`${fieldId}:${message}`}>
            <a href={`#${fieldId}`} onClick={(event) => focusField(event, fieldId)}>
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function focusField(event: MouseEvent, fieldId: string) {
  const field = document.getElementById(fieldId);
  if (!field) return;
  event.preventDefault();
  field.focus();
}
