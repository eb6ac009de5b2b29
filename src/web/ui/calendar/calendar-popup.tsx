import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { DATE_CLICK_WINDOW_MS, POPUP_DISTANCE_PX } from '../feedback/delays.ts';
import { Button, IconButton } from '../form/button.tsx';
import { keepPlaced } from '../popup/place.ts';
import { useModalDialog } from '../popup/use-modal-dialog.ts';
import {
  addDays,
  addMonths,
  clampDay,
  decadePage,
  formatDay,
  formatIso,
  type IsoDate,
  parseDay,
  todayOnDevice,
} from './calendar.ts';
import { CalendarGrid, PAGE_MONTHS, type View } from './calendar-grid.tsx';
import styles from './calendar-popup.module.css';

type CalendarPopupProps = {
  anchor: RefObject<HTMLElement | null>;
  value: string;
  min: IsoDate | undefined;
  max: IsoDate | undefined;
  today: IsoDate | undefined;
  onChoose: (iso: IsoDate) => void;
  onClose: () => void;
};

const PAGE_NAMES = { days: 'month', months: 'year', years: 'decade' } as const;

export function CalendarPopup({
  anchor,
  value,
  min,
  max,
  today = todayOnDevice(),
  onChoose,
  onClose,
}: CalendarPopupProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [view, setView] = useState<View>('days');
  const [cursor, setCursor] = useState(() => clampDay(value || today, min, max));
  useModalDialog(dialog, onClose, DATE_CLICK_WINDOW_MS);
  // On phones the style sheet docks it to the bottom edge instead.
  useLayoutEffect(() => {
    if (anchor.current && dialog.current) {
      return keepPlaced(anchor.current, dialog.current, 'bottom-start', POPUP_DISTANCE_PX);
    }
  }, [anchor]);
  useFocusOnCursor(dialog, cursor, view);

  const firstOfPage = findFirstOfPage(cursor, view);
  const lastOfPage = addDays(addMonths(firstOfPage, PAGE_MONTHS[view]), -1);
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
    <dialog ref={dialog} className={styles.popup} aria-label="Choose a date">
      <div className={styles.bar}>
        <IconButton
          icon="chevron-left"
          label={`Previous ${PAGE_NAMES[view]}`}
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
          label={`Next ${PAGE_NAMES[view]}`}
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
        onMove={move}
        onChoose={choose}
      />
      <div className={styles.foot}>
        <Button variant="quiet" size="small" onClick={showToday}>
          Today
        </Button>
        <Button variant="secondary" size="small" onClick={onClose}>
          Close
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
