import type { KeyboardEvent, ReactNode } from 'react';
import {
  addDays,
  addMonths,
  clampDay,
  dayOf,
  daysInMonth,
  decadePage,
  formatLong,
  type IsoDate,
  isoOf,
  MONTH_NAMES,
  monthPage,
  WEEKDAY_NAMES,
  weekdayOf,
} from './calendar.ts';
import styles from './calendar-popup.module.css';

type GridProps = {
  labelledBy: string;
  /** The day the keyboard is on; its page is the one shown. */
  cursor: IsoDate;
  value: string;
  onMove: (iso: IsoDate) => void;
  onChoose: (iso: IsoDate) => void;
};

export type DayGridProps = GridProps & {
  today: IsoDate;
  isDisabled: (iso: IsoDate) => boolean;
  noteOf?: ((iso: IsoDate) => string | undefined) | undefined;
};

export function DayGrid({
  labelledBy,
  cursor,
  value,
  today,
  isDisabled,
  noteOf,
  onMove,
  onChoose,
}: DayGridProps) {
  const { year, month } = dayOf(cursor);
  return (
    <Grid
      labelledBy={labelledBy}
      columns={7}
      onKeyDown={(event) => moveByKey(event, dayForKey(event, cursor), onMove)}
      head={
        <thead>
          <tr>
            {WEEKDAY_NAMES.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
      }
      cells={monthPage(year, month).map((iso) => {
        const note = noteOf?.(iso);
        const isOff = isDisabled(iso);
        return {
          key: iso,
          isSelected: iso === value,
          isCursor: iso === cursor,
          isOff,
          isOutside: dayOf(iso).month !== month,
          isToday: iso === today,
          name: note ? `${formatLong(iso)}, ${note}` : formatLong(iso),
          content: (
            <>
              {dayOf(iso).day}
              {note && <span className={styles.note}>{note}</span>}
            </>
          ),
          onChoose: () => (isOff ? onMove(iso) : onChoose(iso)),
        };
      })}
    />
  );
}

export type ZoomGridProps = GridProps & { min?: IsoDate | undefined; max?: IsoDate | undefined };

export function MonthGrid({ labelledBy, cursor, value, min, max, onMove, onChoose }: ZoomGridProps) {
  const { year, month } = dayOf(cursor);
  return (
    <Grid
      labelledBy={labelledBy}
      columns={3}
      onKeyDown={(event) => moveByKey(event, monthForKey(event, cursor, month), onMove)}
      cells={MONTH_NAMES.map((name, index) => {
        const iso = addMonths(cursor, index + 1 - month);
        const first = isoOf({ year, month: index + 1, day: 1 });
        const last = isoOf({ year, month: index + 1, day: daysInMonth(year, index + 1) });
        const isOff = isBeyond(first, last, min, max);
        return {
          key: name,
          isSelected: value !== '' && value >= first && value <= last,
          isCursor: index + 1 === month,
          isOff,
          name: `${name} ${year}`,
          content: name.slice(0, 3),
          onChoose: () => !isOff && onChoose(iso),
        };
      })}
    />
  );
}

export function YearGrid({ labelledBy, cursor, value, min, max, onMove, onChoose }: ZoomGridProps) {
  const { year } = dayOf(cursor);
  const years = decadePage(year);
  return (
    <Grid
      labelledBy={labelledBy}
      columns={3}
      onKeyDown={(event) => moveByKey(event, yearForKey(event, cursor, years), onMove)}
      cells={years.map((each, index) => {
        const isOff = isBeyond(`${each}-01-01`, `${each}-12-31`, min, max);
        return {
          key: String(each),
          isSelected: value !== '' && dayOf(value).year === each,
          isCursor: each === year,
          isOff,
          isOutside: index === 0 || index === 11,
          name: String(each),
          content: each,
          onChoose: () => !isOff && onChoose(addMonths(cursor, (each - year) * 12)),
        };
      })}
    />
  );
}

type Cell = {
  key: string;
  name: string;
  content: ReactNode;
  isSelected: boolean;
  isCursor: boolean;
  isOff: boolean;
  isOutside?: boolean;
  isToday?: boolean;
  onChoose: () => void;
};

type CellGridProps = {
  labelledBy: string;
  columns: number;
  head?: ReactNode;
  cells: Cell[];
  onKeyDown: (event: KeyboardEvent) => void;
};

function Grid({ labelledBy, columns, head, cells, onKeyDown }: CellGridProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a calendar is a grid, and a grid may be a table
    <table role="grid" className={styles.grid} aria-labelledby={labelledBy} onKeyDown={onKeyDown}>
      {head}
      <tbody>
        {rowsOf(cells, columns).map((row) => (
          <tr key={row[0]?.key}>
            {row.map((cell) => (
              // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid's cell
              // biome-ignore lint/a11y/useFocusableInteractive: the button in the cell takes the focus for it
              <td key={cell.key} role="gridcell" aria-selected={cell.isSelected}>
                <button
                  type="button"
                  className={styles.cell}
                  tabIndex={cell.isCursor ? 0 : -1}
                  aria-label={cell.name}
                  aria-disabled={cell.isOff}
                  aria-current={cell.isToday ? 'date' : undefined}
                  data-selected={cell.isSelected || undefined}
                  data-outside={cell.isOutside || undefined}
                  onClick={cell.onChoose}
                >
                  {cell.content}
                </button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function rowsOf(cells: Cell[], columns: number): Cell[][] {
  return Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  );
}

function isBeyond(first: IsoDate, last: IsoDate, min?: IsoDate, max?: IsoDate): boolean {
  return last !== clampDay(last, min) || first !== clampDay(first, undefined, max);
}

function moveByKey(event: KeyboardEvent, target: IsoDate | undefined, onMove: (iso: IsoDate) => void) {
  if (target === undefined) return;
  event.preventDefault();
  onMove(target);
}

function dayForKey({ key, shiftKey }: KeyboardEvent, cursor: IsoDate): IsoDate | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(cursor, -1);
    case 'ArrowRight':
      return addDays(cursor, 1);
    case 'ArrowUp':
      return addDays(cursor, -7);
    case 'ArrowDown':
      return addDays(cursor, 7);
    case 'Home':
      return addDays(cursor, -weekdayOf(cursor));
    case 'End':
      return addDays(cursor, 6 - weekdayOf(cursor));
    case 'PageUp':
      return addMonths(cursor, shiftKey ? -12 : -1);
    case 'PageDown':
      return addMonths(cursor, shiftKey ? 12 : 1);
    default:
      return undefined;
  }
}

function monthForKey({ key }: KeyboardEvent, cursor: IsoDate, month: number): IsoDate | undefined {
  const months = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -3,
    ArrowDown: 3,
    Home: 1 - month,
    End: 12 - month,
    PageUp: -12,
    PageDown: 12,
  }[key];
  return months === undefined ? undefined : addMonths(cursor, months);
}

function yearForKey({ key }: KeyboardEvent, cursor: IsoDate, page: number[]): IsoDate | undefined {
  const { year } = dayOf(cursor);
  const years = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -3,
    ArrowDown: 3,
    Home: (page[1] ?? year) - year,
    End: (page[10] ?? year) - year,
    PageUp: -10,
    PageDown: 10,
  }[key];
  return years === undefined ? undefined : addMonths(cursor, years * 12);
}
