import { type KeyboardEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { IconButton } from '../form/button.tsx';
import styles from '../form/field.module.css';
import { type FieldLabelling, TextField } from '../form/field.tsx';
import { useLazyDialog } from '../popup/use-lazy-dialog.ts';
import { formatDay, type IsoDate, todayOnDevice } from './calendar.ts';
import type { CalendarPopupProps } from './calendar-popup.tsx';
import { abbreviateTyped, describeTyped, formatTyped, parseTyped } from './typed-date.ts';

export type DatePickerProps = FieldLabelling & {
  /** 'YYYY-MM-DD', or '' for none. */
  value: string;
  /** Text that is not a selectable day counts as no day; `problem` says what is wrong with it. */
  onChange: (value: string, problem: string | null) => void;
  min?: IsoDate | undefined;
  max?: IsoDate | undefined;
  /** The day to mark as today, at the port; the device's unless given. */
  today?: IsoDate | undefined;
  /** A calendar that shows more than the days. */
  renderCalendar?: ((props: CalendarPopupProps) => ReactNode) | undefined;
};

const CalendarPopup = lazy(async () => ({ default: (await import('./calendar-popup.tsx')).CalendarPopup }));

export function DatePicker(props: DatePickerProps) {
  const { value, onChange, min, max, today, renderCalendar = renderPlain, ...labelling } = props;
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const calendar = useLazyDialog<true>();

  function findProblem(text: string, iso: IsoDate | null): string | null {
    if (text.trim() === '') return null;
    if (iso === null) {
      return t('Enter the date as {order}, like {example}.', {
        order: describeTyped(),
        example: formatTyped(min ?? today ?? todayOnDevice()),
      });
    }
    if (min !== undefined && iso < min) {
      return t('Choose {day} or a later day.', { day: formatTyped(min) });
    }
    if (max !== undefined && iso > max) {
      return t('Choose {day} or an earlier day.', { day: formatTyped(max) });
    }
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
            {iso ? formatDay(iso, 'day') : startUpperCase(describeTyped())}
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
      placeholder={abbreviateTyped()}
      value={draft ?? (value === '' ? '' : formatTyped(value))}
      onChange={(event) => setDraft(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={acceptDraft}
      onKeyDown={handleKey}
      end={
        <>
          <IconButton
            icon="calendar"
            label={value === '' ? t('Choose a date') : t('Change date, {day}', { day: formatTyped(value) })}
            aria-haspopup="dialog"
            aria-expanded={calendar.content !== null}
            className={styles.innerButton}
            onClick={() => calendar.open(true)}
          />
          <Suspense>
            {calendar.content !== null &&
              renderCalendar({
                ...{ input, label: labelling.label, value, min, max, today },
                onChoose: choose,
                onClose: calendar.close,
              })}
          </Suspense>
        </>
      }
    />
  );
}

function renderPlain(props: CalendarPopupProps) {
  return <CalendarPopup {...props} />;
}

function startUpperCase(text: string): string {
  return text.charAt(0).toLocaleUpperCase(textLanguage()) + text.slice(1);
}
