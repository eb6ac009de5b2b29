import { type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react';
import { IconButton } from '../form/button.tsx';
import styles from '../form/field.module.css';
import { type FieldLabelling, TextField } from '../form/field.tsx';
import { useLazyDialog } from '../popup/use-lazy-dialog.ts';
import { formatDay, formatTyped, type IsoDate, parseTyped, todayOnDevice } from './calendar.ts';

export type DatePickerProps = FieldLabelling & {
  /** 'YYYY-MM-DD', or '' for none. */
  value: string;
  /** Text that is not a selectable day counts as no day; `problem` says what is wrong with it. */
  onChange: (value: string, problem: string | null) => void;
  min?: IsoDate | undefined;
  max?: IsoDate | undefined;
  /** The day to mark as today, at the port; the device's unless given. */
  today?: IsoDate | undefined;
};

const CalendarPopup = lazy(async () => ({ default: (await import('./calendar-popup.tsx')).CalendarPopup }));

export function DatePicker({ value, onChange, min, max, today, ...labelling }: DatePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const calendar = useLazyDialog<true>();

  function findProblem(text: string, iso: IsoDate | null): string | null {
    if (text.trim() === '') return null;
    if (iso === null)
      return `Enter the date as month/day/year, like ${formatTyped(min ?? today ?? todayOnDevice())}.`;
    if (min !== undefined && iso < min) return `Choose ${formatTyped(min)} or a later day.`;
    if (max !== undefined && iso > max) return `Choose ${formatTyped(max)} or an earlier day.`;
    return null;
  }

  function acceptDraft() {
    if (draft === null) return;
    const iso = parseTyped(draft);
    const newProblem = findProblem(draft, iso);
    setProblem(newProblem);
    if (newProblem === null) setDraft(null);
    const next = newProblem === null ? (iso ?? '') : '';
    if (next !== value || newProblem !== problem) onChange(next, newProblem);
  }

  function choose(iso: IsoDate) {
    setDraft(null);
    setProblem(null);
    calendar.close();
    if (iso !== value) onChange(iso, null);
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key === 'Enter') acceptDraft();
    if (event.key !== 'ArrowDown' || !event.altKey) return;
    event.preventDefault();
    calendar.open(true);
  }

  const iso = draft === null ? value : parseTyped(draft);
  return (
    <TextField
      {...labelling}
      hint={
        <>
          <span aria-live="polite" suppressHydrationWarning>
            {iso ? formatDay(iso, 'day') : 'Month/day/year'}
          </span>
          {labelling.hint && <br />}
          {labelling.hint}
        </>
      }
      error={problem ?? labelling.error}
      ref={input}
      className={styles.date}
      inputMode="numeric"
      autoComplete="off"
      placeholder="mm/dd/yyyy"
      value={draft ?? (value === '' ? '' : formatTyped(value))}
      onChange={(event) => setDraft(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={acceptDraft}
      onKeyDown={handleKey}
      end={
        <>
          <IconButton
            icon="calendar"
            label={value === '' ? 'Choose a date' : `Change date, ${formatTyped(value)}`}
            aria-haspopup="dialog"
            aria-expanded={calendar.content !== null}
            className={styles.innerButton}
            onClick={() => calendar.open(true)}
          />
          <Suspense>
            {calendar.content !== null && (
              <CalendarPopup
                anchor={input}
                value={value}
                min={min}
                max={max}
                today={today}
                onChoose={choose}
                onClose={calendar.close}
              />
            )}
          </Suspense>
        </>
      }
    />
  );
}
