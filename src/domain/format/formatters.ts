import { chooseTextLocale } from './text-locale.ts';

const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();
const MAX_FORMATS = 500;

/** @param language the operator's or the order's */
export function getDateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return getFormat(dateFormats, Intl.DateTimeFormat, language, options);
}

/** @param language the operator's or the order's */
export function getNumberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return getFormat(numberFormats, Intl.NumberFormat, language, options);
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
