import { type MouseEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { POPUP_DISTANCE_PX } from '../feedback/delays.ts';
import { Button, IconButton } from '../form/button.tsx';
import { placeBeside } from '../popup/place.ts';
import { isOutside, useModalDialog } from '../popup/use-modal-dialog.ts';
import {
  addDays,
  addMonths,
  clampDay,
  dayOf,
  decadePage,
  type IsoDate,
  isoOf,
  MONTH_NAMES,
  todayOnDevice,
} from './calendar.ts';
import { DayGrid, MonthGrid, YearGrid } from './calendar-grids.tsx';
import styles from './calendar-popup.module.css';

export type CalendarPopupProps = {
  anchor: RefObject<HTMLElement | null>;
  value: string;
  min?: IsoDate | undefined;
  max?: IsoDate | undefined;
  isDateDisabled?: ((iso: IsoDate) => boolean) | undefined;
  noteOf?: ((iso: IsoDate) => string | undefined) | undefined;
  today?: IsoDate | undefined;
  onChoose: (iso: IsoDate) => void;
  onClose: () => void;
};

/** How far the title zooms out: days of a month, months of a year, years of a decade. */
type View = 'days' | 'months' | 'years';

const STEP_MONTHS = { days: 1, months: 12, years: 120 } as const;
const STEP_NAMES = { days: 'month', months: 'year', years: 'decade' } as const;

export function CalendarPopup({
  anchor,
  value,
  min,
  max,
  isDateDisabled,
  noteOf,
  today = todayOnDevice(),
  onChoose,
  onClose,
}: CalendarPopupProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [view, setView] = useState<View>('days');
  const [cursor, setCursor] = useState(() => clampDay(value || today, min, max));
  const { year, month } = dayOf(cursor);
  useModalDialog(dialog, onClose);
  usePlaceBelow(dialog, anchor);
  useFocusOnCursor(dialog, cursor, view);

  const move = (iso: IsoDate) => setCursor(clampDay(iso, min, max));
  const turn = (pages: number) => move(addMonths(cursor, pages * STEP_MONTHS[view]));

  function handlePress(event: MouseEvent<HTMLDialogElement>) {
    // The second click of a double click on the opener lands on the backdrop and must not close the calendar.
    if (event.target !== event.currentTarget || event.detail > 1) return;
    if (isOutside(event.currentTarget, event.clientX, event.clientY)) onClose();
  }

  return (
    <dialog ref={dialog} className={styles.popup} aria-label="Choose a date" onMouseDown={handlePress}>
      <div className={styles.bar}>
        <IconButton
          icon="chevron-left"
          label={`Previous ${STEP_NAMES[view]}`}
          aria-disabled={min !== undefined && firstOfPage(cursor, view) <= min}
          onClick={() => turn(-1)}
        />
        <Button
          variant="quiet"
          className={styles.title}
          aria-disabled={view === 'years'}
          onClick={() => setView(view === 'days' ? 'months' : 'years')}
        >
          <span id={titleId} aria-live="polite">
            {titleOf(view, year, month)}
          </span>
        </Button>
        <IconButton
          icon="chevron-right"
          label={`Next ${STEP_NAMES[view]}`}
          aria-disabled={max !== undefined && addDays(nextPage(cursor, view), -1) >= max}
          onClick={() => turn(1)}
        />
      </div>
      {view === 'days' && (
        <DayGrid
          labelledBy={titleId}
          cursor={cursor}
          value={value}
          today={today}
          isDisabled={(iso) => iso !== clampDay(iso, min, max) || Boolean(isDateDisabled?.(iso))}
          noteOf={noteOf}
          onMove={move}
          onChoose={onChoose}
        />
      )}
      {view === 'months' && (
        <MonthGrid
          labelledBy={titleId}
          cursor={cursor}
          value={value}
          min={min}
          max={max}
          onMove={move}
          onChoose={(iso) => {
            move(iso);
            setView('days');
          }}
        />
      )}
      {view === 'years' && (
        <YearGrid
          labelledBy={titleId}
          cursor={cursor}
          value={value}
          min={min}
          max={max}
          onMove={move}
          onChoose={(iso) => {
            move(iso);
            setView('months');
          }}
        />
      )}
      <div className={styles.foot}>
        <Button variant="quiet" size="small" onClick={() => showToday()}>
          Today
        </Button>
        <Button variant="secondary" size="small" onClick={onClose}>
          Close
        </Button>
      </div>
    </dialog>
  );

  function showToday() {
    setView('days');
    move(today);
  }
}

function titleOf(view: View, year: number, month: number): string {
  if (view === 'days') return `${MONTH_NAMES[month - 1]} ${year}`;
  if (view === 'months') return String(year);
  const years = decadePage(year);
  return `${years[1]}–${years[10]}`;
}

function firstOfPage(cursor: IsoDate, view: View): IsoDate {
  const { year, month } = dayOf(cursor);
  if (view === 'days') return isoOf({ year, month, day: 1 });
  return isoOf({ year: view === 'months' ? year : Math.floor(year / 10) * 10, month: 1, day: 1 });
}

function nextPage(cursor: IsoDate, view: View): IsoDate {
  return addMonths(firstOfPage(cursor, view), STEP_MONTHS[view]);
}

/** On wide screens the calendar hangs from its field; on phones its style sheet docks it to the bottom edge instead. */
function usePlaceBelow(dialog: RefObject<HTMLDialogElement | null>, anchor: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    function place() {
      const element = dialog.current;
      const from = anchor.current;
      if (!element || !from) return;
      const spot = placeBeside(
        from.getBoundingClientRect(),
        { width: element.offsetWidth, height: element.offsetHeight },
        { width: document.documentElement.clientWidth, height: window.innerHeight },
        'bottom-start',
        POPUP_DISTANCE_PX,
      );
      element.style.setProperty('--left', `${spot.left}px`);
      element.style.setProperty('--top', `${spot.top}px`);
    }
    place();
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [dialog, anchor]);
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
