import {
  type FocusEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  startTransition,
  useId,
  useRef,
  useState,
} from 'react';
import { classes } from '../classes.ts';
import { IconButton } from '../form/button.tsx';
import styles from '../form/field.module.css';
import { Field, type FieldLabelling } from '../form/field.tsx';
import {
  type DayChoice,
  formatTyped,
  type IsoDate,
  isAccidentalRepeat,
  parseTyped,
  todayOnDevice,
} from './calendar.ts';

export type DatePickerProps = FieldLabelling & {
  /** 'YYYY-MM-DD', or '' for none. */
  value: string;
  /** Text that is no selectable day counts as no day; `problem` says what is wrong with it. */
  onChange: (value: string, problem: string | null) => void;
  min?: IsoDate | undefined;
  max?: IsoDate | undefined;
  isDateDisabled?: ((iso: IsoDate) => boolean) | undefined;
  /** A word or a price under the day's number. */
  noteOf?: ((iso: IsoDate) => string | undefined) | undefined;
  /** The day to mark as today, at the port; the device's unless given. */
  today?: IsoDate | undefined;
  name?: string | undefined;
  isDisabled?: boolean | undefined;
};

const CalendarPopup = lazy(async () => ({ default: (await import('./calendar-popup.tsx')).CalendarPopup }));

export function DatePicker({
  id,
  value,
  onChange,
  min,
  max,
  isDateDisabled,
  noteOf,
  today,
  name,
  isDisabled = false,
  ...labelling
}: DatePickerProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  const root = useRef<HTMLDivElement>(null);
  const lastChoice = useRef<DayChoice | null>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [complaint, setComplaint] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);

  function complainAbout(text: string, iso: IsoDate | null): string | null {
    if (text.trim() === '') return null;
    if (iso === null)
      return `Enter the date as month/day/year, like ${formatTyped(min ?? today ?? todayOnDevice())}.`;
    if (min !== undefined && iso < min) return `Choose ${formatTyped(min)} or a later day.`;
    if (max !== undefined && iso > max) return `Choose ${formatTyped(max)} or an earlier day.`;
    return isDateDisabled?.(iso) ? 'This day cannot be chosen.' : null;
  }

  function settle() {
    if (draft === null) return;
    const iso = parseTyped(draft);
    const problem = complainAbout(draft, iso);
    setComplaint(problem);
    if (problem === null) setDraft(null);
    const next = problem === null ? (iso ?? '') : '';
    if (next !== value || problem !== complaint) onChange(next, problem);
  }

  function choose(iso: IsoDate) {
    const choice = { iso, at: performance.now() };
    const isRepeat = isAccidentalRepeat(lastChoice.current, choice);
    lastChoice.current = choice;
    setDraft(null);
    setComplaint(null);
    setIsOpen(false);
    if (iso !== value && !isRepeat) onChange(iso, null);
  }

  /** Building the grid is no part of the tap: a slow phone shows the button pressed first. */
  function open() {
    startTransition(() => setIsOpen(true));
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key === 'Enter') settle();
    if (event.key !== 'ArrowDown' || !event.altKey) return;
    event.preventDefault();
    open();
  }

  return (
    <Field {...labelling} id={fieldId} error={complaint ?? labelling.error}>
      {(control) => (
        <div ref={root} className={styles.withButton}>
          <input
            {...control}
            className={classes(control.className, styles.date)}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            placeholder="mm/dd/yyyy"
            name={name}
            disabled={isDisabled}
            value={draft ?? (value === '' ? '' : formatTyped(value))}
            onChange={(event) => setDraft(event.target.value)}
            onFocus={selectAll}
            onBlur={settle}
            onKeyDown={handleKey}
          />
          <IconButton
            icon="calendar"
            label={value === '' ? 'Choose a date' : `Change date, ${formatTyped(value)}`}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            disabled={isDisabled}
            className={styles.innerButton}
            onClick={open}
          />
          {isOpen && (
            <Suspense fallback={null}>
              <CalendarPopup
                anchor={root}
                value={value}
                min={min}
                max={max}
                isDateDisabled={isDateDisabled}
                noteOf={noteOf}
                today={today}
                onChoose={choose}
                onClose={() => setIsOpen(false)}
              />
            </Suspense>
          )}
        </div>
      )}
    </Field>
  );
}

function selectAll(event: FocusEvent<HTMLInputElement>) {
  event.target.select();
}
