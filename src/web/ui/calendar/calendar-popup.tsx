import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import { DATE_CLICK_WINDOW_MS } from '../feedback/delays.ts';
import { Button, IconButton } from '../form/button.tsx';
import { useModalDialog } from '../popup/use-modal-dialog.ts';
import {
  addDays,
  clampDay,
  formatDay,
  formatIso,
  type IsoDate,
  parseDay,
  todayOnDevice,
} from './calendar.ts';
import { CalendarGrid, type DayNotes, PAGE_MONTHS, type View } from './calendar-grid.tsx';
import { addMonths, decadePage, monthPage } from './calendar-pages.ts';
import styles from './calendar-popup.module.css';
import { keepBesideField } from './place-calendar.ts';

export type CalendarPopupProps = {
  /** Placed beside the whole field, so that its label stays in sight. */
  input: RefObject<HTMLInputElement | null>;
  /** Of the field, for phones, where the calendar covers it. */
  label: ReactNode;
  value: string;
  min: IsoDate | undefined;
  max: IsoDate | undefined;
  today: IsoDate | undefined;
  onChoose: (iso: IsoDate) => void;
  onClose: () => void;
};

type NotesProps = {
  notes?: DayNotes | undefined;
  /** Says what the notes are. */
  legend?: ReactNode;
  /** The first and the last day shown. */
  onPage?: ((from: IsoDate, to: IsoDate) => void) | undefined;
};

const TURN_LABELS = {
  days: { previous: message('Previous month'), next: message('Next month') },
  months: { previous: message('Previous year'), next: message('Next year') },
  years: { previous: message('Previous decade'), next: message('Next decade') },
} as const;

export function CalendarPopup({
  input,
  label,
  value,
  min,
  max,
  today = todayOnDevice(),
  onChoose,
  onClose,
  notes,
  legend,
  onPage,
}: CalendarPopupProps & NotesProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [view, setView] = useState<View>('days');
  const [cursor, setCursor] = useState(() => clampDay(value || today, min, max));
  useModalDialog(dialog, onClose, DATE_CLICK_WINDOW_MS);
  // On phones the style sheet docks it to the bottom edge instead.
  useLayoutEffect(() => {
    const field = input.current?.labels?.[0]?.parentElement ?? input.current;
    if (field && dialog.current) return keepBesideField(field, dialog.current);
  }, [input]);
  useFocusOnCursor(dialog, cursor, view);

  const firstOfPage = findFirstOfPage(cursor, view);
  const lastOfPage = addDays(addMonths(firstOfPage, PAGE_MONTHS[view]), -1);
  const reportPage = useEffectEvent(() => {
    const { year, month } = parseDay(firstOfPage);
    const days = monthPage(year, month);
    onPage?.(days[0] ?? firstOfPage, days.at(-1) ?? lastOfPage);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another page
  useEffect(() => reportPage(), [firstOfPage]);
  const move = (iso: IsoDate) => setCursor(clampDay(iso, min, max));
  const turn = (pages: number) => move(addMonths(cursor, pages * PAGE_MONTHS[view]));

  function choose(iso: IsoDate) {
    if (view === 'days') return onChoose(iso);
    move(iso);
    setView(view === 'years' ? 'months' : 'days');
  }

  function showToday() {
    setView('days');
    move(today);
  }

  return (
    <dialog ref={dialog} className={styles.popup} aria-label={t('Choose a date')}>
      <p className={styles.label}>{label}</p>
      <div className={styles.bar}>
        <IconButton
          icon="chevron-left"
          label={t(TURN_LABELS[view].previous)}
          aria-disabled={min !== undefined && firstOfPage <= min}
          onClick={() => turn(-1)}
        />
        <Button
          variant="quiet"
          className={styles.title}
          aria-disabled={view === 'years'}
          onClick={() => setView(view === 'days' ? 'months' : 'years')}
        >
          <span id={titleId} aria-live="polite">
            {describePage(view, cursor)}
          </span>
        </Button>
        <IconButton
          icon="chevron-right"
          label={t(TURN_LABELS[view].next)}
          aria-disabled={max !== undefined && lastOfPage >= max}
          onClick={() => turn(1)}
        />
      </div>
      <CalendarGrid
        view={view}
        labelledBy={titleId}
        cursor={cursor}
        value={value}
        today={today}
        min={min}
        max={max}
        notes={notes}
        onMove={move}
        onChoose={choose}
      />
      {legend && <p className={styles.legend}>{legend}</p>}
      <div className={styles.foot}>
        <Button variant="quiet" size="small" onClick={showToday}>
          {t('Today')}
        </Button>
        <Button variant="secondary" size="small" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
    </dialog>
  );
}

function describePage(view: View, cursor: IsoDate): string {
  if (view === 'days') return formatDay(cursor, 'monthOfYear');
  const { year } = parseDay(cursor);
  if (view === 'months') return String(year);
  const years = decadePage(year);
  return `${years[1]}–${years[10]}`;
}

function findFirstOfPage(cursor: IsoDate, view: View): IsoDate {
  const { year, month } = parseDay(cursor);
  if (view === 'days') return formatIso({ year, month, day: 1 });
  return formatIso({ year: view === 'months' ? year : year - (year % 10), month: 1, day: 1 });
}

function useFocusOnCursor(dialog: RefObject<HTMLDialogElement | null>, cursor: IsoDate, view: View) {
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cell to focus is found by the cursor and the view
  useEffect(() => {
    const isInGrid =
      document.activeElement?.closest('[role=grid]') || document.activeElement === document.body;
    if (isFirst.current || isInGrid) dialog.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isFirst.current = false;
  }, [dialog, cursor, view]);
}
