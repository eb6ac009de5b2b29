import { getDateFormat } from './intl.ts';
import { matchLanguage, SOURCE_LANGUAGE } from './languages.ts';
import { COMMAND_LANGUAGE, chooseTextLocale } from './text-locale.ts';

export type DateField = 'year' | 'month' | 'day';

/** A date in figures, in the language's order and with its separators: month, "/", day, "/", year. */
export function listDateParts(language: string): { field: DateField | null; text: string }[] {
  return getDateFormat(chooseDateLocale(language), NUMERIC_DATE)
    .formatToParts(0)
    .map(({ type, value }) => ({ field: type in NUMERIC_DATE ? (type as DateField) : null, text: value }));
}

const NUMERIC_DATE = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  calendar: 'gregory',
  numberingSystem: 'latn',
  timeZone: 'UTC',
} as const satisfies Intl.DateTimeFormatOptions;

/** "month", "Monat" */
export function nameDateField(language: string, field: DateField): string {
  return new Intl.DisplayNames(chooseDateLocale(language), { type: 'dateTimeField' }).of(field) ?? field;
}

/** All English dates are typed and chosen as the specification says: month/day/year, in weeks from Sunday. */
export function chooseDateLocale(language: string): string {
  const locale = chooseTextLocale(language);
  return matchLanguage(locale) === SOURCE_LANGUAGE ? COMMAND_LANGUAGE : locale;
}
