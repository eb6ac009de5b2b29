import { chooseTextLocale } from './text-locale.ts';

const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();
const pluralRules = new Map<string, Intl.PluralRules>();
const listFormats = new Map<string, Intl.ListFormat>();
const MAX_FORMATS = 500;

/** @param language the operator's or the order's */
export function getDateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return getFormat(dateFormats, Intl.DateTimeFormat, language, options);
}

/** @param language the operator's or the order's */
export function getNumberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return getFormat(numberFormats, Intl.NumberFormat, language, options);
}

/** @param language the operator's or the order's */
export function getPluralRules(language: string, options: Intl.PluralRulesOptions): Intl.PluralRules {
  return getFormat(pluralRules, Intl.PluralRules, language, options);
}

/**
 * "Port Madrona and Heron Island"
 * @param language the operator's or the order's
 */
export function formatList(
  language: string,
  items: readonly string[],
  options: Intl.ListFormatOptions = { type: 'conjunction' },
): string {
  return getFormat(listFormats, Intl.ListFormat, language, options).format(items);
}

/** Cached, because creating a formatter costs more than a hundred uses of it. */
function getFormat<Options, Format>(
  formats: Map<string, Format>,
  Format: new (locale: string, options: Options) => Format,
  language: string,
  options: Options,
): Format {
  const locale = chooseTextLocale(language);
  const key = locale + JSON.stringify(options);
  const cached = formats.get(key);
  if (cached) return cached;
  const format = new Format(locale, options);
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(key, format);
  return format;
}
