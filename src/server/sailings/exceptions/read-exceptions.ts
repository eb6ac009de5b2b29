import { EXCEPTION_KINDS, EXCEPTION_REASONS, type ExceptionKind } from '#contract/sailings/exceptions.ts';
import type { Translations } from '#messages/translations.ts';
import type { Row } from '#server/csv/table.ts';
import { type FeedInput, readFeedTable } from '../feed/feed-tables.ts';
import type { NewException } from './store-exceptions.ts';

/** Ids by the names that files use. */
export type ExceptionNames = {
  /** `route_id` of the feed. */
  lines: ReadonlySet<string>;
  /** By `stop_id` and by code. */
  ports: ReadonlyMap<string, string>;
  /** By code. */
  vessels: ReadonlyMap<string, string>;
};

export const EXCEPTIONS_FILE = 'exceptions.csv';

const LONGEST_TEXT = 300;

/** A longer delay is a cancellation. */
const LONGEST_DELAY = 24 * 60;

/** Parses exceptions.csv, as docs/timetable.md describes it. Ports and vessels get the ids of `names`. */
export function readExceptions(source: FeedInput, names: ExceptionNames): NewException[] {
  const rows = readFeedTable(source, EXCEPTIONS_FILE);
  return rows.map((row) => readException(row, names));
}

function readException(row: Row, names: ExceptionNames): NewException {
  const fromDay = row.day('date') ?? row.required('date');
  const untilDay = row.day('until') ?? fromDay;
  if (untilDay < fromDay) row.problem('until', 'Before date.');
  row.required('kind');
  const kind = row.oneOf('kind', EXCEPTION_KINDS, 'notice');
  const line = row.text('route_id') || null;
  if (line !== null && !names.lines.has(line)) row.problem('route_id', `There is no ferry route ${line}.`);
  const portId = find(row, 'stop_id', names.ports);
  const departsLocal = readClockTime(row, 'time');
  if (departsLocal !== null && row.text('stop_id') === '') row.problem('stop_id', 'A time needs its stop.');
  if (kind === 'port_closed') row.required('stop_id');
  if (kind === 'extra') for (const column of EXTRA_COLUMNS) row.required(column);
  return {
    source: 'file',
    kind,
    fromDay,
    untilDay,
    line,
    tripKey: row.text('trip_id') || null,
    portId,
    departsLocal,
    minutes: readMinutes(row, kind),
    vesselId: readVessel(row, kind, names.vessels),
    likeLocal: kind === 'extra' ? readClockTime(row, 'like_time') : requireEmpty(row, 'like_time', kind),
    likeDay: kind === 'extra' ? row.day('like_date') : requireEmpty(row, 'like_date', kind),
    reason: row.oneOf('reason', EXCEPTION_REASONS, null),
    text: row.text('text').slice(0, LONGEST_TEXT),
    translations: readTranslations(row),
  };
}

function readTranslations(row: Row): Translations {
  const texts = Object.entries(row.translations());
  return Object.fromEntries(texts.map(([key, text]) => [key, text.slice(0, LONGEST_TEXT)]));
}

/** What an extra sailing needs. */
const EXTRA_COLUMNS = ['route_id', 'stop_id', 'time', 'like_time'] as const;

function readVessel(row: Row, kind: ExceptionKind, ids: ReadonlyMap<string, string>): string | null {
  if (kind === 'extra') return find(row, 'vessel', ids);
  return kind === 'vessel' ? findRequired(row, 'vessel', ids) : requireEmpty(row, 'vessel', kind);
}

function readMinutes(row: Row, kind: ExceptionKind): number {
  if (kind !== 'delayed') {
    requireEmpty(row, 'minutes', kind);
    return 0;
  }
  row.required('minutes');
  return row.int('minutes', { min: 1, max: LONGEST_DELAY }) ?? 0;
}

function readClockTime(row: Row, column: 'time' | 'like_time'): string | null {
  const cell = row.text(column);
  if (cell === '') return null;
  const time = parseClockTime(cell);
  if (time === null) row.problem(column, `"${cell}" is not a time of day, H:MM, HH:MM or HH:MM:00.`);
  return time;
}

/** A time of day as `HH:MM`; null if it is none. */
export function parseClockTime(text: string): string | null {
  const parts = /^(\d{1,2}):([0-5]\d)(:00)?$/.exec(text);
  if (!parts || Number(parts[1]) > 23) return null;
  return `${(parts[1] ?? '').padStart(2, '0')}:${parts[2]}`;
}

function find(row: Row, column: string, ids: ReadonlyMap<string, string>): string | null {
  const name = row.text(column);
  if (name === '') return null;
  const id = ids.get(name) ?? null;
  if (id === null) row.problem(column, `There is no ${column === 'vessel' ? 'vessel' : 'stop'} ${name}.`);
  return id;
}

function findRequired(row: Row, column: string, ids: ReadonlyMap<string, string>): string | null {
  row.required(column);
  return find(row, column, ids);
}

/** A value that its kind does not use is an error, not a remark. */
function requireEmpty(row: Row, column: string, kind: ExceptionKind): null {
  if (row.text(column) !== '') row.problem(column, `An exception of the kind ${kind} has none.`);
  return null;
}
