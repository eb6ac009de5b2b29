import { chooseTextLocale } from '../text-locale.ts';

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
  // Browsers and Node differ in the space before "AM".
  return getFormat(style, chooseTextLocale(language), zone).format(instant).replaceAll('\u202f', ' ');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached, because creating a formatter costs more than a hundred uses of it. */
function getFormat(style: DateStyle, locale: string, zone: string | undefined): Intl.DateTimeFormat {
  const key = `${style} ${locale} ${zone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: zone });
  if (formats.size < 500) formats.set(key, format);
  return format;
}
