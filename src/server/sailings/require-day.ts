import { isDay } from '#domain/time/days.ts';
import { ApiError } from '../http/api-error.ts';

/**
 * A calendar day in the range supported by the database.
 * @throws {ApiError} invalid_input
 */
export function requireDay(day: string, field: string): string {
  if (isDay(day) && day >= '1900-01-01' && day <= '2999-12-31') return day;
  throw new ApiError('invalid_input', { field });
}
