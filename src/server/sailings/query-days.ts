import { addDays, daysBetween, isDay } from '#domain/time/days.ts';
import { ApiError } from '../http/api-error.ts';

const LONGEST_TIMETABLE_DAYS = 7;

/**
 * First and last day of a timetable; by default a week from today.
 * @throws {ApiError} invalid_input, also for more than 7 days
 */
export function timetableDays(
  query: { from?: string | undefined; to?: string | undefined },
  today: string,
): { from: string; to: string } {
  const from = requireDay(query.from ?? today, 'from');
  const to = requireDay(query.to ?? addDays(from, LONGEST_TIMETABLE_DAYS - 1), 'to');
  const days = daysBetween(from, to) + 1;
  if (days < 1 || days > LONGEST_TIMETABLE_DAYS) throw new ApiError('invalid_input', { field: 'to' });
  return { from, to };
}

/**
 * A calendar day in the range supported by the database.
 * @throws {ApiError} invalid_input
 */
export function requireDay(day: string, field: string): string {
  if (isDay(day) && day >= '1900-01-01' && day <= '2999-12-31') return day;
  throw new ApiError('invalid_input', { field });
}
