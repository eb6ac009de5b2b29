import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { t } from '#web/language/texts.ts';
import { classes } from '../classes.ts';
import { IconButton } from './button.tsx';
import styles from './counter.module.css';
import { useDescriptions } from './field.tsx';

type Limits = { min?: number | undefined; max?: number | undefined };

export type CounterProps = Limits & {
  id?: string | undefined;
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  value: number;
  onChange: (value: number) => void;
  /** Id of the text that explains `max`; refers to it once the value is at `max`. */
  maxReasonId?: string | undefined;
};

export function Counter({
  id,
  label,
  description,
  error,
  value,
  onChange,
  min = 0,
  max,
  maxReasonId,
}: CounterProps) {
  const described = useDescriptions({ id, hint: description, error });
  const [draft, setDraft] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const limits = { min, max };

  function changeTo(next: number) {
    const clamped = clampCount(next, limits);
    setDraft(null);
    if (clamped !== value) onChange(clamped);
    return clamped;
  }

  function stepBy(step: number) {
    setAnnouncement(t('{label}: {count}', { label, count: changeTo(value + step) }));
  }

  // Typing is clamped to max at once but to min only on leaving: "1" on the way to "12" must not jump to the minimum.
  function handleType(text: string) {
    const count = parseCount(text, { max });
    setDraft(count === null || count < min ? keepDigits(text) : null);
    if (count !== null && count >= min && count !== value) onChange(count);
  }

  function handleLeave() {
    if (draft !== null) changeTo(parseCount(draft, limits) ?? clampCount(0, limits));
  }

  function handleKey(event: KeyboardEvent) {
    const target = { ArrowUp: value + 1, ArrowDown: value - 1, Home: min, End: max }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    changeTo(target);
  }

  const isAtMax = max !== undefined && value >= max;
  const reasonId = isAtMax ? maxReasonId : undefined;
  return (
    <div className={styles.row}>
      <label className={styles.label} htmlFor={described.control.id}>
        {label}
      </label>
      {described.hint}
      <div className={styles.controls}>
        <IconButton
          icon="minus"
          label={t('Fewer: {label}', { label })}
          variant="secondary"
          aria-disabled={value <= min}
          className={styles.step}
          onClick={() => stepBy(-1)}
        />
        <input
          {...described.control}
          type="text"
          role="spinbutton"
          inputMode="numeric"
          autoComplete="off"
          className={styles.count}
          value={draft ?? String(value)}
          aria-valuenow={value}
          aria-valuemin={min}
          aria-valuemax={max}
          aria-describedby={classes(described.control['aria-describedby'], reasonId)}
          onChange={(event) => handleType(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={handleLeave}
          onKeyDown={handleKey}
        />
        <IconButton
          icon="plus"
          label={t('More: {label}', { label })}
          variant="secondary"
          aria-disabled={isAtMax}
          aria-describedby={reasonId}
          className={styles.step}
          onClick={() => stepBy(1)}
        />
      </div>
      {described.error}
      <output className="visually-hidden">{announcement}</output>
    </div>
  );
}

export function clampCount(count: number, { min, max }: Limits): number {
  return Math.max(min ?? Number.NEGATIVE_INFINITY, Math.min(max ?? Number.POSITIVE_INFINITY, count));
}

function keepDigits(text: string): string {
  return text.replace(/\D/g, '');
}

/** The typed number within the limits, or null without any digit. */
export function parseCount(text: string, limits: Limits): number | null {
  const digits = keepDigits(text);
  return digits === '' ? null : clampCount(Number(digits), limits);
}
