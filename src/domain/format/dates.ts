import { getDateFormat } from '#messages/intl.ts';

const STYLES = {
  /** "Fri, June 5, 2026" */
  day: { weekday: 'short', month: 'long', day: 'numeric', year: 'numeric' },
  /** "Friday, June 5, 2026" */
  longDay: { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  /** "Fri, Jun 5" */
  shortDay: { weekday: 'short', month: 'short', day: 'numeric' },
  /** "Jun 5" */
  monthDay: { month: 'short', day: 'numeric' },
  /** "Jun 5, 2026" */
  date: { month: 'short', day: 'numeric', year: 'numeric' },
  /** "9:30 AM" */
  clock: { hour: 'numeric', minute: '2-digit' },
  /** "Fri, Jun 5, 9:30 AM" */
  shortDayAndClock: { weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  /** "Jun 5, 2026, 9:30 AM" */
  dateAndClock: { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  /** "Friday, June 5, 2026 at 9:30 AM" */
  longDayAndClock: { dateStyle: 'full', timeStyle: 'short' },
  /** "June 2026" */
  monthOfYear: { month: 'long', year: 'numeric' },
  /** "Jun" */
  shortMonth: { month: 'short' },
  /** "Friday" */
  weekday: { weekday: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DateStyle = keyof typeof STYLES;

type DateOptions = {
  /** The operator's or the order's. */
  language: string;
  /** An IANA time zone; the device's if absent. */
  zone?: string | undefined;
};

/**
 * A date or time for people, in the order and with the clock of the language's region.
 * @param instant in milliseconds since 1970
 */
export function formatInstant(style: DateStyle, instant: number, { language, zone }: DateOptions): string {
  const options: Intl.DateTimeFormatOptions = { ...STYLES[style], timeZone: zone };
  if ('hour' in options && writesTwoDigits(language)) options.hour = '2-digit';
  // Browsers and Node differ in the space before "AM".
  return getDateFormat(language, options).format(instant).replaceAll('\u202f', ' ');
}

/** Whether a language writes "05:40", as German does, rather than "5:40". */
function writesTwoDigits(language: string): boolean {
  return getDateFormat(language, { timeStyle: 'short', timeZone: 'UTC' }).format(0).startsWith('00');
}

/**
 * The calendar day in a zone at an instant in milliseconds: `2026-06-05`. For browsers, which have no `Temporal`.
 * @param zone the device's if undefined
 */
export function readLocalDay(instant: number, zone?: string): string {
  return readLocalTime(instant, zone).slice(0, 10);
}

/** The local time in a zone at an instant in milliseconds, to the minute: `2026-06-05T09:30`. */
export function readLocalTime(instant: number, zone?: string): string {
  const parts = getDateFormat('en-US', { ...LOCAL_TIME, timeZone: zone }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

const LOCAL_TIME = {
  calendar: 'gregory',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
} as const satisfies Intl.DateTimeFormatOptions;
