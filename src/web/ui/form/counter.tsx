import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { classes } from '../classes.ts';
import { clampCount, digitsOf, parseCount } from '../data/count.ts';
import { IconButton } from './button.tsx';
import styles from './counter.module.css';

export type CounterProps = {
  id?: string | undefined;
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  value: number;
  onChange: (value: number) => void;
  min?: number | undefined;
  max?: number | undefined;
  /** Id of the text that says why it stops at `max`, once it does. */
  maxReasonId?: string | undefined;
  name?: string | undefined;
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
  name,
}: CounterProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
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
    setAnnouncement(`${label}: ${changeTo(value + step)}`);
  }

  // Typing is clamped to max at once but to min only on leaving: "1" on the way to "12" must not jump to the minimum.
  function handleType(text: string) {
    const count = parseCount(text, { max });
    setDraft(count === null || count < min ? digitsOf(text) : null);
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
  const descriptionId = `${inputId}-description`;
  const errorId = `${inputId}-error`;
  return (
    <div className={styles.row}>
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      {description && (
        <p id={descriptionId} className={styles.description}>
          {description}
        </p>
      )}
      <div className={styles.controls}>
        <IconButton
          icon="minus"
          label={`Fewer: ${label}`}
          variant="secondary"
          aria-disabled={value <= min}
          className={styles.step}
          onClick={() => stepBy(-1)}
        />
        <input
          id={inputId}
          name={name}
          type="text"
          role="spinbutton"
          inputMode="numeric"
          autoComplete="off"
          className={styles.count}
          value={draft ?? String(value)}
          aria-valuenow={value}
          aria-valuemin={min}
          aria-valuemax={max}
          aria-describedby={classes(error ? errorId : null, description ? descriptionId : null, reasonId)}
          aria-invalid={error ? true : undefined}
          onChange={(event) => handleType(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={handleLeave}
          onKeyDown={handleKey}
        />
        <IconButton
          icon="plus"
          label={`More: ${label}`}
          variant="secondary"
          aria-disabled={isAtMax}
          aria-describedby={reasonId}
          className={styles.step}
          onClick={() => stepBy(1)}
        />
      </div>
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
      <output className="visually-hidden">{announcement}</output>
    </div>
  );
}
