import { countDays } from '../time/days.ts';

/** Days before its expiry from which a card is reported as expiring soon. */
const EXPIRES_SOON_DAYS = 60;

/** The expiry date printed on a card. `year` has four digits. */
export type CardExpiry = { month: number; year: number };

/**
 * Whether a card has expired or expires soon. A card is valid through the last day of its month.
 * @param today the operator's day, `YYYY-MM-DD`
 */
export function checkCardExpiry(
  { month, year }: CardExpiry,
  today: string,
): { expDate: string; isExpired: boolean; expiresSoon: boolean } {
  // A day that the month lacks becomes its last day.
  const lastDay = Temporal.PlainDate.from({ year, month, day: 31 }).toString();
  const left = countDays(today, lastDay);
  return {
    expDate: `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`,
    isExpired: left < 0,
    expiresSoon: left >= 0 && left <= EXPIRES_SOON_DAYS,
  };
}

/** Months since the year 0, for comparison: a card whose month is before the current one has expired. */
export function countMonths(day: string): number {
  const { year, month } = Temporal.PlainDate.from(day);
  return year * 12 + month;
}
