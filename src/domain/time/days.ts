/** Calendar days, `YYYY-MM-DD`, and sets of weekdays as bits: bit 0 is Monday, bit 6 Sunday. */

export const EVERY_DAY = 0b1111111;

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const NAMED_SETS: Record<string, number> = { daily: EVERY_DAY, weekdays: 0b0011111, weekends: 0b1100000 };

/** Whether the text is a day that exists (no 30 February). */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Days from one to the other; negative when `to` is earlier. */
export function countDays(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days;
}

/** The set that holds only this day's weekday. */
export function getWeekdayBit(day: string): number {
  return 1 << (Temporal.PlainDate.from(day).dayOfWeek - 1);
}

export function isOnWeekday(weekdays: number, day: string): boolean {
  return (weekdays & getWeekdayBit(day)) !== 0;
}

/**
 * Reads a set of weekdays: `daily`, `weekdays`, `weekends`, or days and ranges such as `mon-thu sat`
 * (a range may run over Sunday: `fri-mon`).
 * @returns null when the text is none of these
 */
export function parseWeekdays(text: string): number | null {
  const words = text.trim().toLowerCase().split(/\s+/);
  let set = 0;
  for (const word of words) {
    const part = NAMED_SETS[word] ?? parseRange(word);
    if (part === null) return null;
    set |= part;
  }
  return set;
}

/** A set of weekdays as `parseWeekdays` reads it: `mon tue sat`. */
export function formatWeekdays(set: number): string {
  return WEEKDAYS.filter((_, bit) => (set & (1 << bit)) !== 0).join(' ');
}

function parseRange(word: string): number | null {
  const [first = '', last = first, ...rest] = word.split('-');
  const from = WEEKDAYS.indexOf(first);
  const to = WEEKDAYS.indexOf(last);
  if (from < 0 || to < 0 || rest.length > 0) return null;
  let set = 0;
  for (let day = from; ; day = (day + 1) % 7) {
    set |= 1 << day;
    if (day === to) return set;
  }
}
