import type { KeyboardEvent } from 'react';
import { isPageRightToLeft } from '#web/language/page-language.ts';
import { addDays, clampDay, daysInMonth, formatDay, formatIso, type IsoDate, parseDay } from './calendar.ts';
import { addMonths, countDaysIntoWeek, decadePage, formatLong, monthPage } from './calendar-pages.ts';
import styles from './calendar-popup.module.css';

/** How far the calendar is zoomed out: the cells of a page. */
export type View = 'days' | 'months' | 'years';

export const PAGE_MONTHS = { days: 1, months: 12, years: 120 } as const;

/** Stands below a day's number; `description` says it in words, after the name of the day. */
export type DayNote = { text: string; description: string };

/** By day. Days without one keep its room. */
export type DayNotes = ReadonlyMap<IsoDate, DayNote>;

type CalendarGridProps = {
  view: View;
  labelledBy: string;
  /** The day the keyboard is on; its page is shown. */
  cursor: IsoDate;
  value: string;
  today: IsoDate;
  min: IsoDate | undefined;
  max: IsoDate | undefined;
  notes: DayNotes | undefined;
  onMove: (iso: IsoDate) => void;
  onChoose: (iso: IsoDate) => void;
};

export function CalendarGrid(props: CalendarGridProps) {
  const { view, labelledBy, cursor, value, today, min, max, notes, onMove, onChoose } = props;
  const cells = listCells(view, cursor);
  const columns = view === 'days' ? 7 : 3;
  const rows = Array.from({ length: cells.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  );

  function handleKey(event: KeyboardEvent) {
    const target = cursorAfterKey(view, event, cursor);
    if (target === undefined) return;
    event.preventDefault();
    onMove(target);
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a calendar is a grid, and a grid may be a table
    <table role="grid" className={styles.grid} aria-labelledby={labelledBy} onKeyDown={handleKey}>
      {view === 'days' && (
        <thead>
          <tr>
            {rows[0]?.map(({ first }) => (
              <th key={first} scope="col" abbr={formatDay(first, 'weekday')}>
                {formatDay(first, 'weekday').slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]?.first}>
            {row.map(({ iso, first, last, name, text, isOutside }) => {
              const isSelected = first <= value && value <= last;
              const note = view === 'days' ? notes?.get(iso) : undefined;
              const isOff = last !== clampDay(last, min) || first !== clampDay(first, undefined, max);
              return (
                // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid's cell
                // biome-ignore lint/a11y/useFocusableInteractive: the button in the cell takes the focus for it
                <td key={first} role="gridcell" aria-selected={isSelected}>
                  <button
                    type="button"
                    className={styles.cell}
                    tabIndex={first <= cursor && cursor <= last ? 0 : -1}
                    aria-label={note?.description ? `${name}, ${note.description}` : name}
                    aria-disabled={isOff}
                    aria-current={first === today && last === today ? 'date' : undefined}
                    data-selected={isSelected || undefined}
                    data-outside={isOutside || undefined}
                    onClick={() => (isOff ? view === 'days' && onMove(iso) : onChoose(iso))}
                  >
                    {text}
                    {view === 'days' && notes && <span className={styles.note}>{note?.text}</span>}
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Cell = {
  /** The cursor's day once the cell is chosen. */
  iso: IsoDate;
  first: IsoDate;
  last: IsoDate;
  name: string;
  text: string | number;
  isOutside: boolean;
};

function listCells(view: View, cursor: IsoDate): Cell[] {
  const { year, month } = parseDay(cursor);
  if (view === 'days') {
    return monthPage(year, month).map((iso) => {
      const day = parseDay(iso);
      const isOutside = day.month !== month;
      return { iso, first: iso, last: iso, name: formatLong(iso), text: day.day, isOutside };
    });
  }
  if (view === 'months') {
    return Array.from({ length: 12 }, (_, index) => {
      const first = formatIso({ year, month: index + 1, day: 1 });
      return {
        iso: addMonths(cursor, index + 1 - month),
        first,
        last: formatIso({ year, month: index + 1, day: daysInMonth(year, index + 1) }),
        name: formatDay(first, 'monthOfYear'),
        text: formatDay(first, 'shortMonth'),
        isOutside: false,
      };
    });
  }
  return decadePage(year).map((each, index) => ({
    iso: addMonths(cursor, (each - year) * 12),
    first: formatIso({ year: each, month: 1, day: 1 }),
    last: formatIso({ year: each, month: 12, day: 31 }),
    name: String(each),
    text: each,
    isOutside: index === 0 || index === 11,
  }));
}

/** Home and End lead to the ends of the week, year or decade. */
function cursorAfterKey(view: View, { key, shiftKey }: KeyboardEvent, cursor: IsoDate): IsoDate | undefined {
  const { year, month } = parseDay(cursor);
  const { row, before, length } = {
    days: { row: 7, before: countDaysIntoWeek(cursor), length: 7 },
    months: { row: 3, before: month - 1, length: 12 },
    years: { row: 3, before: year % 10, length: 10 },
  }[view];
  const cells = {
    ArrowLeft: isPageRightToLeft() ? 1 : -1,
    ArrowRight: isPageRightToLeft() ? -1 : 1,
    ArrowUp: -row,
    ArrowDown: row,
    Home: -before,
    End: length - 1 - before,
  }[key];
  if (cells !== undefined) {
    return view === 'days'
      ? addDays(cursor, cells)
      : addMonths(cursor, view === 'months' ? cells : cells * 12);
  }
  const pages = { PageUp: -1, PageDown: 1 }[key];
  const months = view === 'days' && shiftKey ? PAGE_MONTHS.months : PAGE_MONTHS[view];
  return pages === undefined ? undefined : addMonths(cursor, pages * months);
}
