const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day in a zone at an instant in milliseconds, as 'YYYY-MM-DD'. */
export function dayIn(timeZone: string, instant: number): string {
  const parts = getFormat(timeZone).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** Cached: on a slow phone the first format costs fifty milliseconds, each further one a few. */
function getFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}
